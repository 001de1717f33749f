/** Sessions with their device, address and last activity; each can be ended. */
import { useMutation } from '@tanstack/react-query'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import { useRef } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { deviceOf } from './device.ts'
import { formatDateTime, formatRelative, type Translate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'
import { StatusChip } from '../../ui/feedback/status-chip.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import type { Session } from './sessions.ts'

/** Text of a device: "Chrome, Windows". */
function nameOfDevice(t: Translate, agent: string | null): string {
  const { browser, system } = deviceOf(agent)
  return [browser, system].filter(Boolean).join(', ') || t('account.session.unknown')
}

interface SessionListProps {
  sessions: readonly Session[]
  /** Ends a session on the server and reloads the list. */
  onEnd: (session: Session) => Promise<unknown>
}

export function SessionList({ sessions, onEnd }: SessionListProps) {
  const t = useT()
  const list = useRef<HTMLUListElement>(null)
  const end = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('account.session.end') }) },
    mutationFn: onEnd,
    onSuccess: () => {
      showToast({ kind: 'success', title: t('account.session.ended') })
      // The focused button disappeared with its session; the focus stays if the user has moved it elsewhere.
      const { activeElement, body } = document
      if (activeElement === body || list.current?.contains(activeElement)) list.current?.focus()
    },
  })
  return (
    <div className="grid gap-3">
      <ul ref={list} tabIndex={-1} aria-label={t('account.sessions')} className="outline-0">
        {sessions.map((session) => (
          <SessionLine
            key={session.id}
            session={session}
            busy={end.isPending && end.variables.id === session.id}
            onEnd={() => end.mutate(session)}
          />
        ))}
      </ul>
      <FailureLine>{end.error ? messageOfFailure(end.error) : undefined}</FailureLine>
    </div>
  )
}

function SessionLine({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd: () => void }) {
  const t = useT()
  const now = useNow()
  const { address, agent, current = false, created_at: openedAt, last_seen_at: lastSeenAt } = session
  const device = nameOfDevice(t, agent)
  const Icon = deviceOf(agent).isHandheld ? Smartphone : Monitor
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 border-b border-line py-3 first:pt-0 last:border-0 last:pb-0">
      <Icon size={20} aria-hidden className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium" title={agent ?? undefined}>
          {device}
          {current ? <StatusChip tone="good">{t('account.session.current')}</StatusChip> : null}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
          {address ? (
            <bdi dir="ltr" className="break-all">
              {address}
            </bdi>
          ) : null}
          <span>
            {t('account.session.seen')}{' '}
            <time dateTime={lastSeenAt} title={formatDateTime(lastSeenAt)}>
              {formatRelative(t, lastSeenAt, now)}
            </time>
          </span>
          <span>
            {t('account.session.since')}{' '}
            <time dateTime={openedAt} className="tabular-nums">
              {formatDateTime(openedAt)}
            </time>
          </span>
        </p>
      </div>
      {current ? null : (
        <Button isBusy={busy} aria-label={t('account.session.endNamed', { device })} onClick={onEnd}>
          {t('account.session.end')}
        </Button>
      )}
    </li>
  )
}
