/** Edits the ordered parts of a lesson in one language: title, text and video link of each part. */
import {
  type Field as DeclaredField,
  type Issue,
  labelOfCode,
  type Locale,
  resources,
  validateField,
} from '@dala/model'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useRef, useState } from 'react'
import { FieldInput, type FieldInputProps, isGroup } from '../../../fields/field-input.tsx'
import { hasMessage, t, useT } from '../../../lib/i18n.ts'
import type { FormSlotProps } from '../../../resource/screen-parts.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/dialog.tsx'
import { Field } from '../../../ui/inputs/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { LinkCheck } from './link-check.tsx'
import { type LessonPart, partsOf } from './texts.ts'

const { lessons } = resources

/** Fields of a stored part that the form does not edit, such as attachments. */
function storedPartOf(value: unknown, id: string): Record<string, unknown> {
  const list: unknown[] = Array.isArray(value) ? value : []
  const storedPart = list.find(
    (listedPart) =>
      typeof listedPart === 'object' && listedPart !== null && 'id' in listedPart && String(listedPart.id) === id,
  )
  return typeof storedPart === 'object' ? { ...storedPart } : {}
}

export function PartsInput({ value, onChange, onBlur, lang, record }: FieldInputProps & FormSlotProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const [announcement, announce] = useState('')
  const [removedIndex, setRemovedIndex] = useState<number | null>(null)
  const parts = partsOf(value)

  const store = (newParts: readonly LessonPart[]) =>
    onChange(newParts.map((lessonPart) => ({ ...storedPartOf(value, lessonPart.id), ...lessonPart })))
  const focusElement = (selector: string) =>
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(selector)?.focus())
  const change = (index: number, partChange: Partial<LessonPart>) =>
    store(parts.map((formerPart, partIndex) => (partIndex === index ? { ...formerPart, ...partChange } : formerPart)))
  const move = (index: number, step: 1 | -1) => {
    const [movedPart, swappedPart] = [parts[index], parts[index + step]]
    if (!movedPart || !swappedPart) return
    store(parts.with(index, swappedPart).with(index + step, movedPart))
    announce(t('learning.partMoved', { place: index + step + 1, total: parts.length }))
    // The button that moved a part is disabled at the end of the list, so the focus moves to the same button
    // of the moved part.
    focusElement(`[data-part="${movedPart.id}"] [data-step="${step}"]`)
  }
  const add = () => {
    const id = crypto.randomUUID()
    store([...parts, { id, title: '', content: '', videourl: '' }])
    focusElement(`[data-part="${id}"] input`)
  }
  const remove = (index: number) => {
    store(parts.filter((_, partIndex) => partIndex !== index))
    setRemovedIndex(null)
    focusElement('[data-add]')
  }
  return (
    <div ref={box} className="grid gap-4">
      {parts.length === 0 ? <p className="text-muted">{t('learning.noParts')}</p> : null}
      <ol className="grid gap-4 empty:hidden">
        {parts.map((lessonPart, index) => (
          <li
            key={lessonPart.id}
            data-part={lessonPart.id}
            className="rounded-2 border border-line bg-sunken p-4 max-md:p-3"
          >
            <div className="mb-2 flex items-center gap-1">
              <h3 className="flex-1 font-semibold">{t('learning.part', { place: index + 1 })}</h3>
              <IconButton
                label={`${t('action.moveUp')}: ${t('learning.part', { place: index + 1 })}`}
                data-step="-1"
                disabled={index === 0 && t('list.isFirst')}
                icon={<ArrowUp size={17} aria-hidden />}
                onClick={() => move(index, -1)}
              />
              <IconButton
                label={`${t('action.moveDown')}: ${t('learning.part', { place: index + 1 })}`}
                data-step="1"
                disabled={index === parts.length - 1 && t('list.isLast')}
                icon={<ArrowDown size={17} aria-hidden />}
                onClick={() => move(index, 1)}
              />
              <IconButton
                label={`${t('action.remove')}: ${t('learning.part', { place: index + 1 })}`}
                icon={<Trash2 size={17} aria-hidden />}
                onClick={() => setRemovedIndex(index)}
              />
            </div>
            <PartFields
              lesson={record?.id}
              part={lessonPart}
              lang={lang}
              onChange={(changedPart) => change(index, changedPart)}
              onBlur={onBlur}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button data-add icon={<Plus size={18} aria-hidden />} onClick={add}>
          {t('learning.addPart')}
        </Button>
      </div>
      <output className="sr-only">{announcement}</output>
      <ConfirmDialog
        open={removedIndex !== null}
        onOpenChange={(isOpen) => !isOpen && setRemovedIndex(null)}
        title={t('learning.removePart')}
        description={t('learning.removePartText')}
        confirmLabel={t('action.remove')}
        isDangerous
        onConfirm={() => removedIndex !== null && remove(removedIndex)}
      />
    </div>
  )
}

interface PartFieldsProps {
  lesson: number | undefined
  part: LessonPart
  lang: Locale | undefined
  onChange: (part: Partial<LessonPart>) => void
  onBlur: () => void
}

/** The fields of a lesson's part, edited like the same fields of a lesson with a single part. */
const partFields = [
  { name: 'title', label: 'learning.partTitle' },
  { name: 'content', label: 'learning.partText' },
  { name: 'videourl', label: 'learning.partVideo' },
] as const

function PartFields({ lesson, part, lang, onChange, onBlur }: PartFieldsProps) {
  const t = useT()
  return (
    <div className="grid gap-4">
      {partFields.map(({ name, label }) => {
        const field: DeclaredField = lessons.fields[name]
        const issue = part[name] === '' ? undefined : validateField(lessons, name, part[name], 'update')
        return (
          <Field key={name} label={t(label)} group={isGroup(field)} error={issue && issueText(issue)}>
            <FieldInput
              resource={lessons}
              name={name}
              field={field}
              lang={name === 'videourl' ? undefined : lang}
              value={part[name]}
              onChange={(newValue) => onChange({ [name]: typeof newValue === 'string' ? newValue : '' })}
              onBlur={onBlur}
            />
            {name === 'videourl' ? <LinkCheck lesson={lesson} address={part.videourl} /> : null}
          </Field>
        )
      })}
    </div>
  )
}

/** Message of a validation issue in the user's language. */
function issueText({ code, params }: Issue): string {
  const label = labelOfCode(code)
  return label !== undefined && hasMessage(label) ? t(label, params) : code
}
