/** The details beside a consultation: people, dates, rating, and whether it is public. */
import { type Entry, type MessageId, resources, screensOf } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import MessagesSquare from 'lucide-react/icons/messages-square'
import { Suspense, use, useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { CaseContext } from '../../resource/case-reasons.ts'
import { recordAddress } from '../../resource/screen-address.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field } from '../../ui/inputs/field.tsx'
import { PaneDetail } from '../../ui/layout/details.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'
import { isRecord, type ConsultationPermissions } from './consultation-permissions.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { Progress } from './progress.tsx'

const { consultations, users, chatrooms, consultationcategories } = resources
const [chatScreen] = screensOf(chatrooms)
const peopleScreen = screensOf(users).find(({ fixedValues }) => fixedValues === undefined)

export function DetailsSheet({ record, permissions }: { record: Entry; permissions: ConsultationPermissions }) {
  const t = useT()
  const locale = useLocale()
  const titleOf = useTitleOf(users)
  const categoryOf = useTitleOf(consultationcategories)
  const [assigning, setAssigning] = useState(false)
  const { user, consultant, category, chatroom, rating } = record
  const caseParts = use(CaseContext)
  return (
    <Sheet hasPadding className="grid content-start gap-5">
      <dl className="grid gap-3">
        {isRecord(user) ? (
          <PaneDetail label={labelOf(consultations, 'user')}>
            {permissions.isStaff && peopleScreen ? (
              <Link
                {...recordAddress(peopleScreen, user.id)}
                className="inline-flex min-h-6 items-center text-brand-text hover:underline pointer-coarse:min-h-11"
              >
                <bdi>{titleOf(user)}</bdi>
              </Link>
            ) : (
              <bdi>{titleOf(user)}</bdi>
            )}
          </PaneDetail>
        ) : null}
        <PaneDetail label={labelOf(consultations, 'consultant')}>
          {isRecord(consultant) ? (
            <bdi>{titleOf(consultant)}</bdi>
          ) : (
            <span className="text-muted">{t('consultation.unassigned')}</span>
          )}
        </PaneDetail>
        {isRecord(category) ? (
          <PaneDetail label={labelOf(consultations, 'category')}>{categoryOf(category)}</PaneDetail>
        ) : null}
        {typeof rating === 'number' ? (
          <PaneDetail label={labelOf(consultations, 'rating')}>
            {t('consultation.rated', { rating: formatNumber(locale, rating) })}
          </PaneDetail>
        ) : null}
      </dl>
      {permissions.mayAssign || isRecord(chatroom) ? (
        <div className="flex flex-wrap gap-2">
          {permissions.mayAssign ? (
            <Button onClick={() => setAssigning(true)}>
              {t(isRecord(consultant) ? 'action.reassign' : 'action.assign')}
            </Button>
          ) : null}
          {isRecord(chatroom) && chatScreen ? (
            <Link {...recordAddress(chatScreen, chatroom.id)} className={buttonClass('plain')}>
              <MessagesSquare size={16} aria-hidden />
              {t('consultation.openChat')}
            </Link>
          ) : null}
        </div>
      ) : null}
      {permissions.isDesk && caseParts.Reasons ? (
        <Suspense fallback={null}>
          <caseParts.Reasons kind="consultation" id={record.id} />
        </Suspense>
      ) : null}
      {permissions.isDesk ? (
        <PublicSwitch
          record={record}
          lock={permissions.lock === 'finished' && permissions.isStaff ? undefined : permissions.lock}
        />
      ) : null}
      <Progress record={record} isDesk={permissions.isStaff || (permissions.isDesk && !permissions.isAsker)} />
      <AssignDialog key={String(assigning)} records={[record]} open={assigning} onClose={() => setAssigning(false)} />
    </Sheet>
  )
}

const lockLabels = {
  finished: 'consultation.lockedFinished',
  free: 'consultation.lockedFree',
  other: 'validation.otherConsultant',
} as const satisfies Record<NonNullable<ConsultationPermissions['lock']>, MessageId>

/** Switch that puts question and answer into the list of published answers. */
function PublicSwitch({ record, lock }: { record: Entry; lock: ConsultationPermissions['lock'] }) {
  const t = useT()
  const obstacle = useObstacle()
  const cache = useQueryClient()
  const save = useMutation({
    meta: { inPlace: true },
    mutationFn: (is_public: boolean) =>
      resourceQueries(consultations).update(record.id, { is_public, version: record.version }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  const reason = obstacle ?? (lock ? t(lockLabels[lock]) : save.isPending && t('form.isSaving'))
  const isChecked = save.isPending ? save.variables : record.is_public === true
  return (
    <Field
      label={labelOf(consultations, 'is_public')}
      help={t('consultations.help.is_public')}
      error={save.error ? messageOfFailure(save.error) : undefined}
    >
      <Switch checked={isChecked} disabled={reason} onCheckedChange={(isPublic) => save.mutate(isPublic)} />
    </Field>
  )
}
