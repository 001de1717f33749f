/** The editor of rich texts, loaded when a form first needs it; the server sanitises the result. */
import type { Field, Locale } from '@dala/model'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useFieldControl, useFieldLabel } from '../../ui/inputs/field.tsx'
import { paragraphsOf } from '../canned/text.ts'
import { cleanPastedHtml } from './clean-pasted.ts'
import { LengthNote } from './length-note.tsx'
import { RichToolbar } from './rich-toolbar.tsx'

export interface RichInputProps {
  field: Field
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  lang: Locale | undefined
  /** Handle for the commands of components beside the editor. */
  handle?: Ref<RichTextHandle>
}

/** Commands of a rich text editor; each is one step of its undo. */
export interface RichTextHandle {
  /** Inserts a plain text as paragraphs at the cursor, at the end before the first focus. */
  insertText: (text: string) => void
  /** Inserts a rich text at the cursor, at the end before the first focus. */
  insertRichText: (html: string) => void
  /** Selects the first occurrence of a text within a paragraph. */
  select: (text: string) => void
  /** Undoes the last step of the editor. */
  undo: () => void
}

/** Paragraphs of a plain text as nodes of the editor. */
const nodesOf = (text: string) =>
  paragraphsOf(text).map((lines) => ({
    type: 'paragraph',
    content: lines.flatMap((line, index) => [
      ...(index > 0 ? [{ type: 'hardBreak' }] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line }]),
    ]),
  }))

/** Positions of the first occurrence of a text in the blocks of a document. */
function positionsOf({ state }: Editor, text: string): { from: number; to: number } | undefined {
  let foundRange: { from: number; to: number } | undefined
  state.doc.descendants((node, position) => {
    if (foundRange || !node.isTextblock) return !foundRange
    // Each node that is no text takes one position, as its placeholder does in the text.
    const index = node.textBetween(0, node.content.size, undefined, '\n').indexOf(text)
    if (index >= 0) foundRange = { from: position + 1 + index, to: position + 1 + index + text.length }
    return false
  })
  return foundRange
}

/** A document without content is stored as an empty text. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML())

export function RichInput({ field, value, onChange, onBlur, lang, handle }: RichInputProps) {
  const label = useFieldLabel()
  const { id, ...control } = useFieldControl()
  // The rich text editor is created once, but its callbacks may change with every render.
  const emitChange = useEffectEvent((html: string) => onChange(html))
  const emitBlur = useEffectEvent(() => onBlur())
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
    // The content policy refuses <style> elements; the few rules of the editor are in styles.css.
    injectCSS: false,
    editorProps: { attributes: () => attributes, transformPastedHTML: cleanPastedHtml },
  })

  // Before its first focus the cursor of the editor is at the start of the text.
  const hadFocus = useRef(false)
  useImperativeHandle(handle, () => {
    const insertContent = (content: Parameters<Editor['commands']['insertContent']>[0]) =>
      editor
        .chain()
        .focus(hadFocus.current ? null : 'end')
        .insertContent(content)
        .scrollIntoView()
        .run()
    return {
      insertText: (text) => void insertContent(nodesOf(text)),
      insertRichText: (html) => void insertContent(html),
      undo: () => void editor.chain().focus().undo().run(),
      select: (text) => {
        const positions = positionsOf(editor, text)
        if (positions) editor.chain().focus().setTextSelection(positions).scrollIntoView().run()
      },
    }
  }, [editor])

  useEffect(() => {
    const focusEditor = () => {
      hadFocus.current = true
    }
    const update = () => emitChange(htmlOf(editor))
    const emitBlurEvent = () => emitBlur()
    editor.on('update', update)
    editor.on('blur', emitBlurEvent)
    editor.on('focus', focusEditor)
    return () => {
      editor.off('update', update)
      editor.off('blur', emitBlurEvent)
      editor.off('focus', focusEditor)
    }
  }, [editor])

  // A text from outside (discard, another language, a newer version) replaces the text in the editor.
  useEffect(() => {
    // The editor of an earlier render may be destroyed already; the effect then runs again for the next
    // editor.
    if (editor.isDestroyed) return
    if (htmlOf(editor) !== value) editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  return (
    <div className="min-w-0">
      <div
        className={cx(
          'rounded-2 border border-line-strong bg-surface focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus',
          control['aria-invalid'] && 'border-danger-text shadow-[inset_0_0_0_1px_var(--danger-text)]',
        )}
      >
        <RichToolbar editor={editor} />
        <EditorContent editor={editor} />
      </div>
      <LengthNote field={field} text={value} />
    </div>
  )
}
