/** Judges the state of an installation; the panel has a text and an advice for each warning. */
import type { SystemState, SystemWarning } from '@dala/model'
import { areClocksApart, isDiskSlow, judgeSpace } from '../../domain/operations/limits.ts'
import { isUnproved } from '../../domain/operations/proved-backups.ts'

/** Days before a full disk from which it is a warning. */
const mostDaysToFull = 60

type Parts = Omit<SystemState, 'at' | 'warnings'>

const warningOf = (
  code: SystemWarning['code'],
  params: SystemWarning['params'],
  { since = null, action = null }: Partial<Pick<SystemWarning, 'since' | 'action'>> = {},
): SystemWarning => ({ code, since, params, action })

function letterWarnings({ letters }: Parts): SystemWarning[] {
  if (letters.state === 'unanswered' || letters.tried === 0) return []
  const { tried, failure, waiting_since: since } = letters
  return [warningOf('letters.waiting', { count: tried, answer: failure ?? '' }, { since })]
}

function spaceWarnings(disk: Extract<Parts['disk'], { state: 'answered' }>): SystemWarning[] {
  const { free, total, full_in_days: days, daily_bytes: daily } = disk
  if (judgeSpace(free, total) !== 'enough') return [warningOf('disk.low', { free, total }, { action: 'media' })]
  if (days === null || daily === null || days > mostDaysToFull) return []
  return [warningOf('disk.fills', { count: days, free, daily }, { action: 'media' })]
}

function diskWarnings({ disk }: Parts): SystemWarning[] {
  if (disk.state === 'unanswered') return []
  const { write_ms: delay } = disk
  return [...spaceWarnings(disk), ...(delay !== null && isDiskSlow(delay) ? [warningOf('disk.slow', { delay })] : [])]
}

function databaseWarnings({ database, version }: Parts): SystemWarning[] {
  const isApart = database.state === 'answered' && areClocksApart(database.clock_ms)
  const missing = version.state === 'answered' ? version.schema.known - version.schema.applied : 0
  return [
    ...(isApart ? [warningOf('clock.apart', { seconds: Math.round(Math.abs(database.clock_ms) / 1_000) })] : []),
    ...(missing > 0 ? [warningOf('schema.behind', { count: missing })] : []),
  ]
}

function recountWarnings({ recount }: Parts): SystemWarning[] {
  if (recount.state === 'unanswered' || !recount.last || recount.last.differences === 0) return []
  const { at: since, differences: count } = recount.last
  return [warningOf('recount.differs', { count }, { since, action: 'statistics' })]
}

function queueWarnings({ queues }: Parts): SystemWarning[] {
  if (queues.state === 'unanswered') return []
  return queues.kinds.flatMap(({ kind, failed, stuck, last_at: since }) => {
    const action = kind === 'imports' ? 'import' : kind === 'reports' ? 'statistics' : null
    return [
      ...(failed > 0 ? [warningOf('queue.failed', { queue: kind, count: failed }, { since, action })] : []),
      ...(stuck > 0 ? [warningOf('queue.stuck', { queue: kind, count: stuck }, { since, action })] : []),
    ]
  })
}

function backupWarnings({ backups }: Parts): SystemWarning[] {
  if (backups.state === 'unanswered') return []
  const { proved_at: provedAt, days, failure } = backups
  const action = 'copies'
  return [
    ...(isUnproved(backups) ? [warningOf('backup.unproved', { count: days ?? 0 }, { since: provedAt, action })] : []),
    ...(failure
      ? [
          warningOf(
            failure.step === 'backup' ? 'backup.failed' : 'backup.proof-failed',
            {},
            { since: failure.at, action },
          ),
        ]
      : []),
  ]
}

/** Returns the warnings about an installation, the most urgent kinds first. */
export const findWarnings = (parts: Parts): SystemWarning[] => [
  ...diskWarnings(parts),
  ...backupWarnings(parts),
  ...letterWarnings(parts),
  ...databaseWarnings(parts),
  ...queueWarnings(parts),
  ...recountWarnings(parts),
]
