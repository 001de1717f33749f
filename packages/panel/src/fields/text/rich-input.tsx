/** The editor of rich texts, loaded when a form first needs it; the server sanitises the result. */
import type { Field, Locale } from '@dala/model'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useEffectEvent } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useFieldControl, useFieldLabel } from '../../ui/inputs/field.tsx'
import { cleanPasted } from './clean-pasted.ts'
import { LengthNote } from './length-note.tsx'
import { RichToolbar } from './rich-toolbar.tsx'

export interface RichInputProps {
  field: Field
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  lang: Locale | undefined
}

/** A document without content is stored as an empty text. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML())

export function RichInput({ field, value, onChange, onBlur, lang }: RichInputProps) {
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
    editorProps: { attributes: () => attributes, transformPastedHTML: cleanPasted },
  })

  useEffect(() => {
    const update = () => emitChange(htmlOf(editor))
    const blur = () => emitBlur()
    editor.on('update', update)
    editor.on('blur', blur)
    return () => {
      editor.off('update', update)
      editor.off('blur', blur)
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
