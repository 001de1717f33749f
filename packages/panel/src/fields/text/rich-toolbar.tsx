/** The tools of the rich editor in one row; those that do not fit are in a menu at its end. */
import type { MessageId } from '@dala/model'
import { type Editor, useEditorState } from '@tiptap/react'
import Bold from 'lucide-react/icons/bold'
import Check from 'lucide-react/icons/check'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Heading2 from 'lucide-react/icons/heading-2'
import Italic from 'lucide-react/icons/italic'
import LinkIcon from 'lucide-react/icons/link'
import List from 'lucide-react/icons/list'
import ListOrdered from 'lucide-react/icons/list-ordered'
import Quote from 'lucide-react/icons/quote'
import Redo2 from 'lucide-react/icons/redo-2'
import Underline from 'lucide-react/icons/underline'
import Undo2 from 'lucide-react/icons/undo-2'
import { type ComponentProps, type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Menu } from '../../ui/overlays/menu.tsx'
import { LinkDialog } from './link-dialog.tsx'

interface Tool {
  label: MessageId
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  isOn?: (editor: Editor) => boolean
  /** Action of the editor's tool; the tool without an action opens the link dialog. */
  run?: (editor: Editor) => void
}

const tools: readonly Tool[] = [
  {
    label: 'editor.bold',
    Icon: Bold,
    isOn: (editor) => editor.isActive('bold'),
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    label: 'editor.italic',
    Icon: Italic,
    isOn: (editor) => editor.isActive('italic'),
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    label: 'editor.underline',
    Icon: Underline,
    isOn: (editor) => editor.isActive('underline'),
    run: (editor) => editor.chain().focus().toggleUnderline().run(),
  },
  {
    label: 'editor.heading',
    Icon: Heading2,
    isOn: (editor) => editor.isActive('heading', { level: 2 }),
    run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    label: 'editor.list',
    Icon: List,
    isOn: (editor) => editor.isActive('bulletList'),
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    label: 'editor.orderedList',
    Icon: ListOrdered,
    isOn: (editor) => editor.isActive('orderedList'),
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    label: 'editor.quote',
    Icon: Quote,
    isOn: (editor) => editor.isActive('blockquote'),
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  { label: 'editor.insertLink', Icon: LinkIcon, isOn: (editor) => editor.isActive('link') },
  { label: 'editor.undo', Icon: Undo2, run: (editor) => editor.chain().focus().undo().run() },
  { label: 'editor.redo', Icon: Redo2, run: (editor) => editor.chain().focus().redo().run() },
]

/** The number of tools that fit into the toolbar: all of them until the width is known. */
function useVisibleCount(bar: React.RefObject<HTMLDivElement | null>): number {
  const [visibleCount, setVisibleCount] = useState(tools.length)
  useEffect(() => {
    const element = bar.current
    if (!element || typeof ResizeObserver === 'undefined') return undefined
    const measure = () => {
      const button = element.querySelector('button')
      if (!button || element.clientWidth === 0) return
      const style = getComputedStyle(element)
      const innerWidth = element.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd)
      const gap = parseFloat(style.columnGap) || 0
      const fittingCount = Math.floor((innerWidth + gap) / (button.offsetWidth + gap))
      setVisibleCount(fittingCount >= tools.length ? tools.length : Math.max(1, fittingCount - 1))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [bar])
  return visibleCount
}

/** Toolbar in one row with one tab stop; arrow keys move between its buttons. */
export function RichToolbar({ editor }: { editor: Editor }) {
  const t = useT()
  const bar = useRef<HTMLDivElement>(null)
  const room = useVisibleCount(bar)
  const [tabStop, setTabStop] = useState(0)
  const [isLinkOpen, setLinkOpen] = useState(false)
  const pressedStates = useEditorState({
    editor,
    selector: ({ editor: now }) => tools.map((tool) => tool.isOn?.(now)),
  })
  const buttons = () => [...(bar.current?.querySelectorAll('button') ?? [])]
  /** React bubbles events of the menu up to the toolbar, but the menu is not part of its row. */
  const indexOf = (target: EventTarget) =>
    buttons().findIndex((button) => target instanceof Node && button.contains(target))
  const move = (event: KeyboardEvent) => {
    if (indexOf(event.target) < 0) return
    const toolbarButtons = buttons()
    const inlineDirection = document.documentElement.dir === 'rtl' ? -1 : 1
    const nextTabStop = {
      ArrowRight: tabStop + inlineDirection,
      ArrowLeft: tabStop - inlineDirection,
      Home: 0,
      End: toolbarButtons.length - 1,
    }[event.key]
    if (nextTabStop === undefined) return
    event.preventDefault()
    toolbarButtons[(nextTabStop + toolbarButtons.length) % toolbarButtons.length]?.focus()
  }
  const runTool = (tool: Tool) => (tool.run ? tool.run(editor) : setLinkOpen(true))
  const visibleTools = tools.slice(0, room)
  const menuTools = tools.slice(room)
  // The tab stop stays on the toolbar when the window becomes narrower.
  const activeTabStop = Math.min(tabStop, visibleTools.length - (menuTools.length > 0 ? 0 : 1))
  return (
    <>
      <div
        ref={bar}
        role="toolbar"
        tabIndex={-1}
        aria-label={t('editor.toolbar')}
        onKeyDown={move}
        onFocus={({ target }) => {
          const index = indexOf(target)
          if (index >= 0) setTabStop(index)
        }}
        className="flex gap-0.5 overflow-x-clip border-b border-line px-1.5 py-1"
      >
        {visibleTools.map((tool, index) => (
          <ToolButton
            key={tool.label}
            label={t(tool.label)}
            aria-pressed={pressedStates[index]}
            tabIndex={activeTabStop === index ? 0 : -1}
            onClick={() => runTool(tool)}
          >
            <tool.Icon size={17} aria-hidden />
          </ToolButton>
        ))}
        {menuTools.length > 0 ? (
          <Menu
            trigger={
              <ToolButton label={t('editor.more')} tabIndex={activeTabStop === visibleTools.length ? 0 : -1}>
                <Ellipsis size={17} aria-hidden />
              </ToolButton>
            }
          >
            {({ Item }) =>
              menuTools.map((tool, index) => (
                <Item key={tool.label} icon={<tool.Icon size={17} aria-hidden />} onClick={() => runTool(tool)}>
                  {t(tool.label)}
                  {pressedStates[room + index] ? (
                    <>
                      <Check size={15} aria-hidden className="ms-auto text-brand-text" />
                      <span className="sr-only">{t('editor.on')}</span>
                    </>
                  ) : null}
                </Item>
              ))
            }
          </Menu>
        ) : null}
      </div>
      {isLinkOpen ? <LinkDialog editor={editor} onClose={() => setLinkOpen(false)} /> : null}
    </>
  )
}

function ToolButton({ label, children, ...buttonProps }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      data-tip={label}
      {...buttonProps}
      type="button"
      aria-label={label}
      className="grid size-8 shrink-0 place-items-center rounded-1 text-muted hover:bg-hover hover:text-ink aria-pressed:bg-brand-soft aria-pressed:text-on-brand-soft data-popup-open:bg-hover max-md:size-11"
    >
      {children}
    </button>
  )
}
