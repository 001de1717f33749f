/**
 * The answer: edited in place by the consultant of the question; others can read it, with the reason why it
 * is locked.
 */
import { type Entry, isLocale, resources } from '@dala/model'
import Lock from 'lucide-react/icons/lock'
import { labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { answerDraft } from './answer-draft.ts'
import { AnswerForm } from './answer-form.tsx'
import { isBlank, isRecord, type ConsultationPermissions } from './consultation-permissions.ts'
import { useStep } from './use-step.ts'

const { consultations, users } = resources

export interface AnswerSheetProps {
  record: Entry
  user: number
  permissions: ConsultationPermissions
}

export function AnswerSheet({ record, user, permissions }: AnswerSheetProps) {
  const t = useT()
  const lang = isLocale(record.language) ? record.language : undefined
  if (permissions.mayAnswer) return <AnswerForm record={record} user={user} />
  return (
    <Sheet hasPadding className="grid gap-4">
      <h2 className="text-lg font-semibold">{labelOf(consultations, 'answer')}</h2>
      {isBlank(record.answer) ? (
        <p className="text-muted">{t('consultation.noAnswer')}</p>
      ) : (
        <RichText html={String(record.answer)} lang={lang} />
      )}
      {permissions.isDesk ? <AnswerLockNotice record={record} user={user} permissions={permissions} /> : null}
      <UnsentAnswer record={record} user={user} />
    </Sheet>
  )
}

/** Shows unsent text after the question was reassigned or finished: it stays visible and can be copied. */
function UnsentAnswer({ record, user }: Omit<AnswerSheetProps, 'permissions'>) {
  const t = useT()
  const draft = answerDraft(user, record.id).read()
  if (!draft || draft.text === record.answer) return null
  return (
    <div className="grid gap-1">
      <p className="text-sm text-muted">{t('chat.draftKept')}</p>
      <div className="max-h-60 overflow-y-auto rounded-2 border border-line bg-surface px-3.5 py-2.5">
        <RichText html={draft.text} lang={isLocale(record.language) ? record.language : undefined} />
      </div>
    </div>
  )
}

/** Reason why the user may not write the answer here, and the step that would change it, if there is one. */
function AnswerLockNotice({ record, user, permissions }: AnswerSheetProps) {
  const t = useT()
  const titleOf = useTitleOf(users)
  const { step, failure } = useStep(record, 'assign')
  const { lock, mayTake } = permissions
  const name = isRecord(record.consultant) ? titleOf(record.consultant) : ''
  const statusText =
    lock === 'finished'
      ? t('consultation.lockedFinished')
      : lock === 'free'
        ? t('consultation.lockedFree')
        : `${t('validation.otherConsultant')}. ${t('consultation.lockedOther', { name })}`
  return (
    <div className="grid gap-2 rounded-2 bg-sunken px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <p className="flex min-w-0 flex-1 items-start gap-2.5">
          <Lock size={17} aria-hidden className="mt-0.5 shrink-0 text-muted" />
          {statusText}
        </p>
        {mayTake ? (
          <Button kind="primary" isBusy={step.isPending} onClick={() => step.mutate({ to: user, from: null })}>
            {t('consultation.take')}
          </Button>
        ) : null}
      </div>
      <FailureLine>{failure}</FailureLine>
    </div>
  )
}
