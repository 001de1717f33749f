/**
 * Input for a list of short texts, shown as chips: Enter or a comma adds one, a paste adds its lines,
 * Backspace removes the last.
 */
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useRef, useState } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { useFieldControl } from '../../ui/inputs/field.tsx'
import { frameClass, framedInputClass } from '../../ui/inputs/input.tsx'
import { addWords, listOf } from './word-list.ts'

export interface WordListInputProps {
  value: unknown
  onChange: (value: readonly string[]) => void
  onBlur: () => void
}

export function WordListInput({ value, onChange, onBlur }: WordListInputProps) {
  const t = useT()
  const control = useFieldControl()
  const input = useRef<HTMLInputElement>(null)
  const [typedText, setTypedText] = useState('')
  const phrases = listOf(value)
  const add = (text: string) => {
    setTypedText('')
    const extendedList = addWords(phrases, text)
    if (extendedList.length > phrases.length) onChange(extendedList)
  }
  const remove = (index: number) => {
    onChange(phrases.filter((_, position) => position !== index))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The key Enter that ends the composition of a letter in an input method adds no chip.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && typedText.trim() !== '') {
      event.preventDefault()
      add(typedText)
    } else if (event.key === 'Backspace' && typedText === '' && phrases.length > 0) remove(phrases.length - 1)
  }
  return (
    <div className={cx(frameClass, 'px-2! py-[5px]')}>
      <ul className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
        {phrases.map((phrase, index) => (
          <li
            key={`${phrase}-${index}`}
            className="inline-flex max-w-full items-center gap-0.5 rounded-1 bg-brand-soft ps-[9px] text-sm font-medium text-on-brand-soft"
          >
            <span className="truncate">{phrase}</span>
            <button
              type="button"
              aria-label={t('select.removeChoice', { name: phrase })}
              onClick={() => remove(index)}
              className="grid h-[26px] w-6 shrink-0 place-items-center max-md:h-9 max-md:w-9"
            >
              <X size={13} aria-hidden />
            </button>
          </li>
        ))}
        <li className="flex min-w-24 flex-1">
          <input
            {...control}
            ref={input}
            type="text"
            autoComplete="off"
            enterKeyHint="enter"
            placeholder={phrases.length === 0 ? t('words.hint') : undefined}
            className={cx(framedInputClass, 'ps-1')}
            value={typedText}
            onChange={(event) => {
              const text = event.target.value
              if (/[,;]/.test(text)) add(text)
              else setTypedText(text)
            }}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              const text = event.clipboardData.getData('text/plain')
              if (!/[\n\t,;]/.test(text.trim())) return
              event.preventDefault()
              add(`${typedText}${text}`)
            }}
            onBlur={() => {
              // Text typed without a final Enter becomes a chip when the field is left.
              add(typedText)
              onBlur()
            }}
          />
        </li>
      </ul>
    </div>
  )
}
