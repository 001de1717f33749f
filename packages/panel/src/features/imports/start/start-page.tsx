/** The start page of imports: the kind, its empty sheet, the file, and earlier imports. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { compareText, formatDate, parseDate } from '../../../lib/format.ts'
import { useLocale, useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { DateInput } from '../../../ui/inputs/date-input.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { FailureLine, Field } from '../../../ui/inputs/field.tsx'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { FileDropZone } from './file-well.tsx'
import { FormerImports } from './former-imports.tsx'
import { saveTemplate } from '../import-api.ts'
import { importableFor, kindLabel } from '../labels.ts'

/** Kind of import whose rows belong to a day, which may be missing in the file. */
const datedKind = 'pricelists'

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && formatDate(value) !== '' && parseDate(formatDate(value)) === value

/** Kind and day of a new import, from the address. */
function useStartSearch() {
  const { kind, date }: { kind?: unknown; date?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    kind: typeof kind === 'string' ? kind : undefined,
    date: isDay(date) ? date : undefined,
    change: (newSearch: Readonly<Record<string, string>>) =>
      void navigate({ to: '.', search: (formerSearch: object) => ({ ...formerSearch, ...newSearch }), replace: true }),
  }
}

export function StartPage() {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const locale = useLocale()
  const request = useStartSearch()
  if (!me) return null
  const kinds = importableFor(callerRoleOf(me))
    .map(({ name }) => name)
    .toSorted((left, right) => compareText(locale, kindLabel(left), kindLabel(right)))
  if (kinds.length === 0)
    return (
      <Sheet className="mt-6">
        <FailureState title={t('error.403.title')} text={t('error.403.message')} status={403} />
      </Sheet>
    )
  const kind = kinds.find((importKind) => importKind === request.kind)
  return <ImportStart kinds={kinds} kind={kind} date={request.date} onChange={request.change} />
}

interface StartProps {
  kinds: readonly string[]
  kind: string | undefined
  date: string | undefined
  onChange: (requestChange: Readonly<Record<string, string>>) => void
}

function ImportStart({ kinds, kind, date, onChange }: StartProps) {
  const t = useT()
  const written = useWrittenLocale()
  const title = kind === undefined ? t('page.import') : t('import.titleOf', { what: kindLabel(kind) })
  useDocumentTitle(title)
  const [typedDate, setTypedDate] = useState<string | null>(date ?? null)
  const day = kind === datedKind && isDay(typedDate) ? typedDate : undefined
  const dateProblem = typedDate !== null && typedDate !== '' && !isDay(typedDate) ? t('validation.date') : undefined
  const template = useMutation({
    mutationFn: (kind: string) => saveTemplate(kind, written, day),
    meta: { inPlace: true },
  })
  return (
    <>
      <PageHead title={title} about={t('import.lead')} />
      <div className="grid items-start gap-5 min-[1100px]:grid-cols-[minmax(0,1fr)_372px]">
        <Sheet hasPadding className="grid gap-[18px]" aria-label={t('import.newOne')}>
          <Field label={t('insert_excel.fields.kind')} required>
            <Select
              value={kind ?? null}
              onValueChange={(chosenKind) => onChange({ kind: chosenKind })}
              choices={kinds.map((importKind) => ({ value: importKind, label: kindLabel(importKind) }))}
              placeholder={t('import.chooseKind')}
            />
          </Field>
          {kind === datedKind ? (
            <Field label={t('import.day')} help={t('import.dayHelp')} error={dateProblem}>
              <DateInput value={typedDate} onValueChange={setTypedDate} />
            </Field>
          ) : null}
          <FileDropZone key={kind} kind={kind} date={day} />
        </Sheet>
        <Sheet hasPadding className="grid gap-3" aria-label={t('import.template')}>
          <h2 className="text-lg font-semibold">{t('import.template')}</h2>
          <p className="text-sm text-muted">{t('import.templateHelp')}</p>
          <Button
            className="justify-self-start"
            icon={<Download size={17} aria-hidden />}
            isBusy={template.isPending}
            disabled={kind === undefined && t('import.kindFirst')}
            onClick={() => kind !== undefined && template.mutate(kind)}
          >
            {t('import.saveTemplate')}
          </Button>
          <FailureLine>{template.error ? messageOfFailure(template.error) : undefined}</FailureLine>
        </Sheet>
      </div>
      <FormerImports key={kind} kind={kind} />
    </>
  )
}
