/** Pages of a report for readers without an account: made, listed and withdrawn (statistics §7). */
import {
  localeOf,
  passcodeLength,
  rankOfRole,
  type ReportKey,
  type ReportShareRow,
  shareDays,
  type WrittenLocale,
  writtenLocaleNames,
  writtenLocales,
} from '@dala/model'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Copy from 'lucide-react/icons/copy'
import Share2 from 'lucide-react/icons/share-2'
import { useRef, useState } from 'react'
import { useCopy } from '../../../account/two-step/use-copy.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { FailureLine, Field } from '../../../ui/inputs/field.tsx'
import { Input } from '../../../ui/inputs/input.tsx'
import { PasswordInput } from '../../../ui/inputs/password-input.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { reportQueryOf } from '../report-search.ts'
import type { ReportState } from '../use-report.ts'

const sharesQuery = queryOptions({
  queryKey: ['resource', 'statistics', 'shares'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/statistics/shares', { signal })).data,
  meta: { inPlace: true },
})

interface ReportSharesProps {
  report: ReportKey
  state: ReportState
}

/** Button of the dialog, for administrators. */
export function ReportShares({ report, state }: ReportSharesProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const [isOpen, setOpen] = useState(false)
  if (!me || rankOfRole(callerRoleOf(me).role) < rankOfRole('admin')) return null
  return (
    <>
      <IconButton
        label={t('statistics.shares.title')}
        icon={<Share2 size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      />
      <Dialog
        isMedium
        open={isOpen}
        onOpenChange={setOpen}
        title={t('statistics.shares.title')}
        description={t('statistics.shares.what')}
        actions={<Button onClick={() => setOpen(false)}>{t('action.close')}</Button>}
      >
        <ShareForm report={report} state={state} />
        <ShareList report={report} />
      </Dialog>
    </>
  )
}

function ShareForm({ report, state }: ReportSharesProps) {
  const t = useT()
  const cache = useQueryClient()
  const [kind, setKind] = useState<'live' | 'frozen'>('live')
  const [days, setDays] = useState<number>(30)
  const [locale, setLocale] = useState<WrittenLocale>(useWrittenLocale())
  const [passcode, setPasscode] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const makeMutation = useMutation({
    meta: { inPlace: true },
    mutationFn: async () => {
      const { locale: _locale, ...query } = reportQueryOf(state.search, localeOf(locale))
      const { data } = await callRoute('POST /api/statistics/shares', {
        body: {
          data: {
            key: report,
            query,
            locale,
            // A minute is left for a clock of this computer that is ahead of that of the server.
            expires_at: new Date(Date.now() + days * 86_400_000 - 60_000).toISOString(),
            passcode: passcode === '' ? null : passcode,
            frozen: kind === 'frozen',
          },
        },
      })
      return data.url
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: sharesQuery.queryKey }),
  })
  const isShort = passcode !== '' && passcode.length < passcodeLength.min
  const hasPerson = state.search.filters.consultant !== undefined
  const submitShare = () => {
    setSubmitted(true)
    if (isShort) return input.current?.focus()
    makeMutation.mutate()
  }
  if (makeMutation.data !== undefined) return <ShareAddress url={makeMutation.data} />
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submitShare()
      }}
    >
      <SegmentedControl
        label={t('statistics.shares.values')}
        value={kind}
        onValueChange={setKind}
        segments={(['live', 'frozen'] as const).map((value) => ({ value, label: t(`statistics.shares.${value}`) }))}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t('statistics.shares.days')}>
          <Select
            value={days}
            onValueChange={setDays}
            choices={shareDays.map((value) => ({ value, label: t('unit.day', { count: value }) }))}
          />
        </Field>
        <Field label={t('field.language')}>
          <Select
            value={locale}
            onValueChange={setLocale}
            choices={writtenLocales.map((value) => ({ value, label: writtenLocaleNames[value] }))}
          />
        </Field>
      </div>
      <Field
        label={t('statistics.shares.passcode')}
        help={t('statistics.shares.passcodeHelp', { min: passcodeLength.min })}
        error={isSubmitted && isShort ? t('validation.minLength', { min: passcodeLength.min }) : undefined}
      >
        <PasswordInput
          ref={input}
          value={passcode}
          maxLength={passcodeLength.max}
          autoComplete="off"
          onChange={(event) => setPasscode(event.target.value)}
        />
      </Field>
      <FailureLine>{makeMutation.error ? messageOfFailure(makeMutation.error) : undefined}</FailureLine>
      <Button
        kind="primary"
        isBusy={makeMutation.isPending}
        disabled={hasPerson && t('statistics.shares.withPerson')}
        onClick={submitShare}
      >
        {t('statistics.shares.make')}
      </Button>
    </form>
  )
}

function ShareAddress({ url }: { url: string }) {
  const t = useT()
  const copy = useCopy()
  return (
    <Field label={t('field.link')} help={t('statistics.shares.copyHelp')}>
      <span className="flex gap-2">
        <Input readOnly value={url} onFocus={(event) => event.target.select()} />
        <IconButton label={t('action.copyLink')} icon={<Copy size={17} aria-hidden />} onClick={() => void copy(url)} />
      </span>
    </Field>
  )
}

/** Shared pages of a report: those that are open, and those that ended. */
function ShareList({ report }: { report: ReportKey }) {
  const t = useT()
  const cache = useQueryClient()
  const { data, error } = useQuery(sharesQuery)
  const withdrawMutation = useMutation({
    mutationFn: (id: number) => callRoute('DELETE /api/statistics/shares/:id', { params: { id } }),
    onSuccess: () => showToast({ kind: 'success', title: t('statistics.shares.withdrawn') }),
    onSettled: () => cache.invalidateQueries({ queryKey: sharesQuery.queryKey }),
  })
  const shares = (data ?? []).filter(({ key }) => key === report)
  const title = t('statistics.shares.list')
  return (
    <section aria-label={title} className="mt-6 border-t border-line pt-4">
      <h3 className="mb-2 font-semibold">{title}</h3>
      <FailureLine>{error ? messageOfFailure(error) : undefined}</FailureLine>
      {data && shares.length === 0 ? <p className="text-sm text-muted">{t('statistics.shares.none')}</p> : null}
      <ul className="grid gap-3">
        {shares.map((share) => (
          <ShareLine
            key={share.id}
            share={share}
            isBusy={withdrawMutation.isPending && withdrawMutation.variables === share.id}
            onWithdraw={() => withdrawMutation.mutate(share.id)}
          />
        ))}
      </ul>
    </section>
  )
}

function ShareLine({ share, isBusy, onWithdraw }: { share: ReportShareRow; isBusy: boolean; onWithdraw: () => void }) {
  const t = useT()
  const {
    active,
    by,
    created_at: createdAt,
    expires_at: expiresAt,
    frozen,
    last_opened_at: lastOpenedAt,
    locale,
    opened,
    passcode,
  } = share
  const state = active
    ? t('statistics.shares.active', { time: formatDateTime(expiresAt) })
    : t('statistics.shares.ended')
  const features = [
    t(frozen ? 'statistics.shares.frozen' : 'statistics.shares.live'),
    writtenLocaleNames[locale],
    passcode ? t('statistics.shares.passcode') : '',
  ]
  return (
    <li className="flex flex-wrap items-start justify-between gap-2">
      <div className="grid text-sm">
        <span className="font-medium">{state}</span>
        <span>{features.filter(Boolean).join(' · ')}</span>
        <span className="text-muted">
          {t('statistics.shares.by', {
            name: by?.name ?? t('statistics.removedPerson'),
            time: formatDateTime(createdAt),
          })}
        </span>
        <span className="text-muted">
          {t('statistics.shares.opened', { count: opened, time: formatDateTime(lastOpenedAt) })}
        </span>
      </div>
      {active ? (
        <Button isBusy={isBusy} onClick={onWithdraw}>
          {t('statistics.shares.withdraw')}
        </Button>
      ) : null}
    </li>
  )
}
