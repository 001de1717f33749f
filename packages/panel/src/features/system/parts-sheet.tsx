/** The six parts of the System page: version, database, disk, queues, letters, recount of figures. */
import type { SystemState } from '@dala/model'
import { type ReactNode, useId } from 'react'
import { formatBytes, formatClock, formatDateTime, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DiskSizes } from './disk-sizes.tsx'
import { QueuesTable } from './queues-table.tsx'
import { SlowStatements } from './slow-statements.tsx'
import { StateNote, type Tone } from './state-note.tsx'
import { TestLetter } from './test-letter.tsx'
import { WhatsNew } from './whats-new.tsx'

type Unanswered = { state: 'unanswered'; since: string }
type PartState = Unanswered | { state: 'answered' }

interface PartProps<P extends PartState> {
  title: string
  part: P
  /** Returns the state in a word and its tone. */
  judge: (part: Exclude<P, Unanswered>) => { tone: Tone; text: string }
  /** Returns the action of the part, at the end of its head. */
  action?: (part: Exclude<P, Unanswered>) => ReactNode
  children: (part: Exclude<P, Unanswered>) => ReactNode
}

const isAnswered = <P extends PartState>(part: P): part is Exclude<P, Unanswered> => part.state === 'answered'

function SystemPart<P extends PartState>({ title, part, judge, action, children }: PartProps<P>) {
  const t = useT()
  const id = useId()
  const answer = isAnswered(part) ? part : undefined
  const note = answer && judge(answer)
  return (
    <section aria-labelledby={id} className="min-w-0 bg-surface px-[18px] py-3.5">
      <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 id={id} className="text-[17px] leading-tight font-semibold">
          {title}
        </h2>
        {note ? <StateNote tone={note.tone}>{note.text}</StateNote> : null}
        {answer && action ? <div className="ms-auto">{action(answer)}</div> : null}
      </div>
      {answer ? children(answer) : null}
      {part.state === 'unanswered' ? (
        <StateNote tone="quiet">{t('system.noAnswer', { time: formatClock(part.since) })}</StateNote>
      ) : null}
    </section>
  )
}

function Facts({ rows }: { rows: readonly (readonly [label: string, value: string, isMarked?: boolean])[] }) {
  return (
    <dl className="text-sm">
      {rows.map(([label, value, isMarked]) => (
        <div key={label} className="flex justify-between gap-4 py-[5px]">
          <dt className="text-muted">{label}</dt>
          <dd className={isMarked ? 'text-end font-medium text-warning-text' : 'text-end wrap-anywhere tabular-nums'}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function PartsSheet({ state }: { state: SystemState }) {
  const t = useT()
  const locale = useLocale()
  const number = (value: number) => formatNumber(locale, value)
  const size = (value: number) => formatBytes(t, locale, value)
  const used = (given: number, most: number) => t('system.of', { used: number(given), most: number(most) })
  const { version, database, disk, memory, queues, letters, recount } = state
  const isLow = state.warnings.some(({ code }) => code.startsWith('disk.'))
  return (
    <Sheet aria-label={t('system.parts')} className="mb-4 overflow-hidden">
      <div className="grid grid-cols-3 gap-px bg-line max-xl:grid-cols-2 max-md:grid-cols-1">
        <SystemPart
          title={t('system.version.title')}
          part={version}
          judge={({ schema }) =>
            schema.applied < schema.known
              ? { tone: 'warning', text: t('system.version.behind') }
              : { tone: 'good', text: t('system.ok') }
          }
          action={() => <WhatsNew />}
        >
          {({ program, started_at, schema, online, node }) => (
            <Facts
              rows={[
                [t('system.version.program'), program],
                [t('system.version.started'), formatDateTime(started_at)],
                [t('system.version.schema'), used(schema.applied, schema.known)],
                [t('system.version.node'), node],
                [t('system.version.online'), t('system.people', { count: online })],
              ]}
            />
          )}
        </SystemPart>
        <SystemPart
          title={t('system.database.title')}
          part={database}
          judge={({ answer_ms }) => ({ tone: 'good', text: t('system.database.answer', { count: number(answer_ms) }) })}
          action={({ slow }) => <SlowStatements slow={slow} />}
        >
          {({ kind, version: databaseVersion, bytes, week_bytes, connections, slow: { statements } }) => (
            <Facts
              rows={[
                [t('system.database.kind'), t(`system.database.${kind}`, { version: databaseVersion })],
                [t('system.database.size'), size(bytes)],
                ...(week_bytes === null
                  ? []
                  : [
                      [
                        t('system.database.growth'),
                        `${week_bytes < 0 ? '−' : '+'} ${size(Math.abs(week_bytes))}`,
                      ] as const,
                    ]),
                ...(connections
                  ? [[t('system.database.connections'), used(connections.used, connections.most)] as const]
                  : []),
                ...(statements[0]
                  ? [
                      [
                        t('system.database.slowest'),
                        t('system.slow.ms', { time: number(statements[0].slowest_ms) }),
                      ] as const,
                    ]
                  : []),
                ...(memory.state === 'answered'
                  ? [
                      [
                        t('system.memory.resident'),
                        memory.limit === null
                          ? size(memory.resident)
                          : t('system.of', { used: size(memory.resident), most: size(memory.limit) }),
                      ] as const,
                    ]
                  : []),
              ]}
            />
          )}
        </SystemPart>
        <SystemPart
          title={t('system.disk.title')}
          part={disk}
          judge={({ free, total }) => ({
            tone: isLow ? 'warning' : 'good',
            text: t('system.disk.left', { share: number(Math.floor((free / Math.max(1, total)) * 100)) }),
          })}
        >
          {(diskState) => <DiskSizes disk={diskState} />}
        </SystemPart>
        <SystemPart
          title={t('system.queues.title')}
          part={queues}
          judge={({ kinds }) => {
            const count = kinds.reduce((sum, { failed }) => sum + failed, 0)
            return count > 0
              ? { tone: 'bad', text: t('system.queues.failures', { count }) }
              : { tone: 'good', text: t('system.ok') }
          }}
        >
          {({ kinds }) => <QueuesTable kinds={kinds} />}
        </SystemPart>
        <SystemPart
          title={t('system.letters.title')}
          part={letters}
          judge={({ waiting, tried }) => ({
            tone: tried > 0 ? 'warning' : 'good',
            text: waiting > 0 ? t('system.letters.waiting', { count: waiting }) : t('system.ok'),
          })}
          action={() => <TestLetter />}
        >
          {({ sent, waiting, tried, waiting_since, dropped, sender, test }) => (
            <Facts
              rows={[
                [t('system.letters.sent'), number(sent)],
                [
                  waiting_since
                    ? t('system.letters.waitingSince', { time: formatClock(waiting_since) })
                    : t('system.letters.waitingNow'),
                  number(waiting),
                  tried > 0,
                ],
                [t('system.letters.dropped'), number(dropped)],
                [t('system.letters.sender'), sender],
                ...(test
                  ? [
                      [
                        t('system.letters.test'),
                        t(`system.letters.tests.${test.state}`, {
                          time: formatClock(test.at),
                          failure: test.failure ?? '',
                        }),
                        test.state === 'failed',
                      ] as const,
                    ]
                  : []),
              ]}
            />
          )}
        </SystemPart>
        <SystemPart
          title={t('system.recount.title')}
          part={recount}
          judge={({ last }) => {
            if (!last) return { tone: 'quiet', text: t('system.recount.none') }
            return last.differences > 0
              ? { tone: 'bad', text: t('system.recount.differences', { count: last.differences }) }
              : { tone: 'good', text: t('system.recount.agrees') }
          }}
        >
          {({ last, time_zone }) => (
            <Facts
              rows={[
                ...(last
                  ? ([
                      [t('system.recount.days'), number(last.days)],
                      [t('system.recount.last'), formatDateTime(last.at)],
                    ] as const)
                  : []),
                [t('system.recount.zone'), time_zone],
              ]}
            />
          )}
        </SystemPart>
      </div>
    </Sheet>
  )
}
