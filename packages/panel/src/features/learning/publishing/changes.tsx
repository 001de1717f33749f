/** Differences between the draft of a course and its publication, record by record. */
import { localeNames, type Resource, resources } from '@dala/model'
import type { CourseDiff, WireCourseChange } from '@dala/model/api/learning'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import type { LucideIcon } from 'lucide-react'
import MoveVertical from 'lucide-react/icons/move-vertical'
import Plus from 'lucide-react/icons/plus'
import SquarePen from 'lucide-react/icons/square-pen'
import Trash2 from 'lucide-react/icons/trash-2'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import { labelOf } from '../../../fields/field-display.tsx'
import { formatList } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { excerptOf } from './excerpt.ts'

type Field = WireCourseChange['fields'][number]

/** Changes of one record, in all its languages. */
interface ChangedRecord {
  key: string
  resource: WireCourseChange['resource']
  title: string
  changes: WireCourseChange[]
}

/** Number of changed records that are shown before the user opens the rest. */
const initiallyShown = 8

const placeFields: ReadonlySet<string> = new Set(['position', 'lessongroup', 'order'])

/** Groups the changes of a course by their record, in order. */
function recordsOf(changes: CourseDiff['changes']): ChangedRecord[] {
  const records: ChangedRecord[] = []
  for (const change of changes) {
    const lastRecord = records.at(-1)
    if (
      lastRecord &&
      lastRecord.resource === change.resource &&
      lastRecord.changes.some(({ record }) => record === change.record)
    )
      lastRecord.changes.push(change)
    else
      records.push({
        key: `${change.resource}-${change.record}`,
        resource: change.resource,
        title: change.title,
        changes: [change],
      })
  }
  return records
}

const stateOf = ({ changes }: ChangedRecord) =>
  changes.flatMap(({ fields }) => fields).find(({ name }) => name === 'state')?.after

function appearanceOfChange(record: ChangedRecord): { Icon: LucideIcon; tone: string } {
  const [change] = record.changes
  const isWhole = change?.locale === null
  if (isWhole && change.kind === 'added') return { Icon: Plus, tone: 'bg-success-soft text-success-text' }
  if (isWhole && change.kind === 'removed') return { Icon: Trash2, tone: 'bg-danger-soft text-danger-text' }
  const state = stateOf(record)
  if (state === 'hidden') return { Icon: EyeOff, tone: 'bg-danger-soft text-danger-text' }
  if (state === 'visible') return { Icon: Eye, tone: 'bg-success-soft text-success-text' }
  const fields = record.changes.flatMap((recordChange) => recordChange.fields)
  const isPlace = fields.length > 0 && fields.every(({ name }) => placeFields.has(name))
  return { Icon: isPlace ? MoveVertical : SquarePen, tone: 'bg-brand-soft text-brand-text' }
}

/** List of the changed records; the rest of a long list opens on demand. */
export function CourseChanges({ diff }: { diff: CourseDiff }) {
  const t = useT()
  const [isWhole, setWhole] = useState(false)
  const records = recordsOf(diff.changes)
  const shownRecords = isWhole ? records : records.slice(0, initiallyShown)
  return (
    <section aria-label={t('learning.changes')}>
      <h3 className="border-b border-line pb-2.5 font-semibold">
        {t('learning.changes')} <span className="font-normal text-muted">{records.length}</span>
      </h3>
      {records.length === 0 ? <p className="pt-3 text-muted">{t('learning.noChanges')}</p> : null}
      <ul>
        {shownRecords.map((record) => (
          <RecordChanges key={record.key} record={record} />
        ))}
      </ul>
      {shownRecords.length < records.length ? (
        <LinkButton className="mt-2" onClick={() => setWhole(true)}>
          {t('learning.allChanges', { count: records.length })}
        </LinkButton>
      ) : null}
      {diff.losses.length > 0 ? (
        <p className="mt-3 flex items-start gap-2.5 rounded-2 bg-warning-soft px-4 py-3 text-sm text-warning-text">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          <span>
            {t('learning.losses', {
              names: formatList(
                t,
                diff.losses.map(({ title }) => `“${title}”`),
              ),
            })}
          </span>
        </p>
      ) : null}
    </section>
  )
}

function RecordChanges({ record }: { record: ChangedRecord }) {
  const { Icon, tone } = appearanceOfChange(record)
  return (
    <li className="flex gap-3 border-b border-line py-3 last:border-b-0">
      <span className={`grid size-6 shrink-0 place-items-center rounded-1 ${tone}`}>
        <Icon size={14} aria-hidden />
      </span>
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{record.title}</p>
        {record.changes.map((change) => (
          <ChangeLine key={change.locale ?? ''} change={change} />
        ))}
      </div>
    </li>
  )
}

function ChangeLine({ change }: { change: WireCourseChange }) {
  const t = useT()
  const { kind, locale, locales, fields } = change
  const resource: Resource = resources[change.resource]
  const language = locale === null ? '' : `, ${localeNames[locale]}`
  if (kind !== 'changed') {
    const isWholeChange = locale === null
    const label = isWholeChange
      ? kind === 'added'
        ? 'learning.change.new'
        : 'learning.change.removed'
      : kind === 'added'
        ? 'learning.change.newText'
        : 'learning.change.removedText'
    const names = (isWholeChange ? locales : [locale]).map((changedLocale) => localeNames[changedLocale])
    return <p className="text-sm text-muted">{t(label, { languages: formatList(t, names) })}</p>
  }
  return fields.map((field) => (
    <p key={field.name} className="text-sm text-muted wrap-anywhere">
      <FieldChange field={field} />
      {labelOf(resource, field.name)}
      {language}
    </p>
  ))
}

/** Old and new words of a changed text; nothing for values that the comparison only names. */
function FieldChange({ field: { before, after } }: { field: Field }) {
  const isText = typeof before === 'string' || typeof after === 'string'
  if (!isText || before === 'visible' || before === 'hidden') return null
  return (
    <>
      {excerptOf(typeof before === 'string' ? before : '', typeof after === 'string' ? after : '').map(
        ({ text, kind }, index) => {
          const key = `${index}-${kind}`
          if (kind === 'removed')
            return (
              <del key={key} className="rounded-1 bg-danger-soft text-danger-text">
                {text}
              </del>
            )
          if (kind === 'added')
            return (
              <ins key={key} className="rounded-1 bg-success-soft font-semibold text-success-text no-underline">
                {text}
              </ins>
            )
          return <span key={key}>{text}</span>
        },
      )}{' '}
    </>
  )
}
