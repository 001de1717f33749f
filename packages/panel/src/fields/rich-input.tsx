/** The editor of rich texts, loaded when a form first needs it; the server sanitises what it sends. */
import type { Locale, MessageId } from '@dala/model'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import Bold from 'lucide-react/icons/bold'
import Heading2 from 'lucide-react/icons/heading-2'
import Italic from 'lucide-react/icons/italic'
import LinkIcon from 'lucide-react/icons/link'
import List from 'lucide-react/icons/list'
import ListOrdered from 'lucide-react/icons/list-ordered'
import Quote from 'lucide-react/icons/quote'
import Redo2 from 'lucide-react/icons/redo-2'
import Underline from 'lucide-react/icons/underline'
import Undo2 from 'lucide-react/icons/undo-2'
import { type ComponentType, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { cx } from '../lib/class-names.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useFieldControl, useFieldLabel } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'

export interface RichInputProps {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  lang: Locale | undefined
}

interface Tool {
  label: MessageId
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  isOn?: (editor: Editor) => boolean
  run: (editor: Editor) => void
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
  { label: 'editor.undo', Icon: Undo2, run: (editor) => editor.chain().focus().undo().run() },
  { label: 'editor.redo', Icon: Redo2, run: (editor) => editor.chain().focus().redo().run() },
]

/** An empty document is no text at all. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML())

export function RichInput({ value, onChange, onBlur, lang }: RichInputProps) {
  const label = useFieldLabel()
  const { id, ...control } = useFieldControl()
  // The editor is made once; what it calls may change with every drawing.
  const changed = useEffectEvent((html: string) => onChange(html))
  const left = useEffectEvent(() => onBlur())
  const attributes: Record<string, string> = {
    role: 'textbox',
    'aria-multiline': 'true',
    class: 'rich-text min-h-36 px-3.5 py-2.5 outline-0',
    ...(id && { id }),
    ...(label && { 'aria-labelledby': label }),
    ...(lang && { lang }),
    ...(control['aria-describedby'] && { 'aria-describedby': control['aria-describedby'] }),
    ...(control['aria-invalid'] && { 'aria-invalid': 'true' }),
    ...(control['aria-required'] && { 'aria-required': 'true' }),
  }
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3, 4] },
        link: { openOnClick: false, protocols: ['https', 'mailto'], defaultProtocol: 'https' },
      }),
    ],
    content: value,
    // The content policy refuses <style> elements; its few rules stand in styles.css.
    injectCSS: false,
    editorProps: { attributes: () => attributes },
  })

  useEffect(() => {
    const update = () => changed(htmlOf(editor))
    const blur = () => left()
    editor.on('update', update)
    editor.on('blur', blur)
    return () => {
      editor.off('update', update)
      editor.off('blur', blur)
    }
  }, [editor])

  // A text that comes from outside (discard, another language, a newer version) replaces what is shown.
  useEffect(() => {
    // The editor of an earlier drawing may be gone already; its successor comes through here again.
    if (editor.isDestroyed) return
    if (htmlOf(editor) !== value) editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  return (
    <div
      className={cx(
        'rounded-2 border border-line-strong bg-surface focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus',
        control['aria-invalid'] && 'border-danger-text shadow-[inset_0_0_0_1px_var(--danger-text)]',
      )}
    >
      <Toolbar editor={editor} />
      <EditorContent editor={editor} />
    </div>
  )
}

/** One row of tools with one tab stop; arrows move between them. */
function Toolbar({ editor }: { editor: Editor }) {
  const t = useT()
  const bar = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState(0)
  const pressed = useEditorState({
    editor,
    selector: ({ editor: now }) => tools.map((tool) => tool.isOn?.(now) ?? false),
  })
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])]
    const towards = document.documentElement.dir === 'rtl' ? -step : step
    const next = (stop + towards + buttons.length) % buttons.length
    setStop(next)
    buttons[next]?.focus()
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={t('editor.toolbar')}
      onKeyDown={move}
      className="flex flex-wrap gap-0.5 border-b border-line px-1.5 py-1"
    >
      {tools.map(({ label, Icon, isOn, run }, index) => (
        <ToolButton
          key={label}
          label={t(label)}
          pressed={isOn ? pressed[index] === true : undefined}
          tabIndex={stop === index ? 0 : -1}
          onFocus={() => setStop(index)}
          onClick={() => run(editor)}
        >
          <Icon size={17} aria-hidden />
        </ToolButton>
      ))}
      <LinkTool editor={editor} tabIndex={stop === tools.length ? 0 : -1} onFocus={() => setStop(tools.length)} />
    </div>
  )
}

interface ToolButtonProps {
  label: string
  pressed: boolean | undefined
  tabIndex: number
  onFocus: () => void
  onClick: () => void
  children: React.ReactNode
}

function ToolButton({ label, pressed, children, ...rest }: ToolButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      className="grid size-8 place-items-center rounded-1 text-muted hover:bg-hover hover:text-ink aria-pressed:bg-brand-soft aria-pressed:text-on-brand-soft max-md:size-11"
      {...rest}
    >
      {children}
    </button>
  )
}

function LinkTool({ editor, tabIndex, onFocus }: { editor: Editor; tabIndex: number; onFocus: () => void }) {
  const t = useT()
  const id = useId()
  const [address, setAddress] = useState<string | null>(null)
  const on = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('link') })
  const open = () => {
    const { href } = editor.getAttributes('link')
    setAddress(typeof href === 'string' ? href : 'https://')
  }
  const close = () => setAddress(null)
  const apply = (href: string | null) => {
    const chain = editor.chain().focus().extendMarkRange('link')
    if (href) chain.setLink({ href }).run()
    else chain.unsetLink().run()
    close()
  }
  const valid =
    address !== null && (/^mailto:.+@.+/.test(address) || (/^https:\/\/./.test(address) && URL.canParse(address)))
  return (
    <>
      <ToolButton label={t('editor.insertLink')} pressed={on} tabIndex={tabIndex} onFocus={onFocus} onClick={open}>
        <LinkIcon size={17} aria-hidden />
      </ToolButton>
      <Dialog
        open={address !== null}
        onOpenChange={(next) => !next && close()}
        title={t('editor.insertLink')}
        actions={
          <>
            {on ? <Button onClick={() => apply(null)}>{t('editor.removeLink')}</Button> : null}
            <Button onClick={close}>{t('action.cancel')}</Button>
            <Button kind="primary" disabled={!valid} onClick={() => apply(address)}>
              {t('action.apply')}
            </Button>
          </>
        }
      >
        <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
          {t('editor.linkAddress')}
        </label>
        <Input
          id={id}
          dir="ltr"
          inputMode="url"
          value={address ?? ''}
          onChange={(event) => setAddress(event.target.value)}
        />
      </Dialog>
    </>
  )
}
