/** The page of one audit line: its changes, user and address, and its position in the chain. */
import { type Entry, localeNames, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { isEntry, labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { hasMessage, firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { ChangedFields } from '../../resource/history/changed-fields.tsx'
import { LoadedPart, Part } from '../../resource/part.tsx'
import { recordAddress, findScreen } from '../../resource/screen-address.ts'
import type { OverviewSlots, OverviewProps } from '../../resource/screen-parts.ts'
import { useMay } from '../../resource/use-may.ts'
import { Details } from '../../ui/layout/details.tsx'
import { addressOfLine, changesQuery, detailsOf, kindOfLine, textOf, kindLabel } from './line.ts'

const { audit, users } = resources
const linkClass = 'inline-flex min-h-6 items-center text-brand-text hover:underline pointer-coarse:min-h-11'

/** Machine text runs from left to right in every language. */
function MachineText({ text }: { text: string }) {
  return (
    <code dir="ltr" className="inline-block font-mono text-sm whitespace-pre-line break-all">
      {text}
    </code>
  )
}

function Person({ record }: { record: Entry }) {
  const t = useT()
  const titleOf = useTitleOf(users)
  const person = isEntry(record.user) ? record.user : undefined
  if (!person) return <span className="text-muted">{t('audit.nobody')}</span>
  const { to, search } = recordAddress(findScreen('people/users'), person.id)
  return (
    <Link to={to} search={search} className={linkClass}>
      {titleOf(person)}
    </Link>
  )
}

/** The record of an audit line: a link if it exists and the user may see it, otherwise its kind and id. */
function AuditSubject({ record }: { record: Entry }) {
  const t = useT()
  const locale = useLocale()
  const kind = kindOfLine(record) ?? audit
  const may = useMay(kind)
  const titleOf = useTitleOf(kind)
  const address = addressOfLine(record)
  const id = typeof record.entry === 'number' ? record.entry : 0
  const { data } = useQuery({
    ...resourceQueries(kind).one(id, locale),
    enabled: address !== undefined && may('get'),
    // The server's answer that a record is deleted or invisible is final: a retry would not help.
    retry: (count, error) => !(error instanceof ApiError && error.status > 0) && count < 2,
  })
  const label = `${kindLabel(kind)} № ${formatNumber(locale, id)}`
  if (kind === audit) return <span className="text-muted">{textOf(record.resource) || t('conflict.nothing')}</span>
  if (id === 0) return kindLabel(kind)
  if (!data || !address) return label
  return (
    <>
      <Link to={address.to} search={address.search} className={linkClass}>
        {titleOf(data)}
      </Link>
      <span className="block text-sm text-muted">{label}</span>
    </>
  )
}

function Changes({ record }: { record: Entry }) {
  const t = useT()
  const query = useQuery(changesQuery(record.id, useLocale()))
  const kind = kindOfLine(record)
  const { data: changes } = query
  // A sign-in or an export changes no record: for such a line the part "changes" appears only if it has any.
  const isOfRecord = textOf(record.action).startsWith('record.')
  if (!isOfRecord && (!changes || (changes.data.length === 0 && !changes.meta.withheld))) return null
  return (
    <Part title={t('audit.changes')}>
      <LoadedPart query={query}>
        {({ data, meta }) => (
          <div className="grid gap-5">
            {data.map((change, index) => {
              const operationKey = `history.${change.operation}`
              const { locale } = change
              return (
                <div key={index} className="not-first:border-t not-first:border-line not-first:pt-4">
                  <p className="text-sm text-muted">
                    {t(hasMessage(operationKey) ? operationKey : 'history.other')}
                    {locale ? <> · {localeNames[locale]}</> : null}
                  </p>
                  {kind ? <ChangedFields resource={kind} changes={change.changes} locale={locale} /> : null}
                </div>
              )
            })}
            {meta.withheld ? <p className="text-muted">{t('audit.changes.withheld')}</p> : null}
            {data.length === 0 && !meta.withheld ? <p className="text-muted">{t('audit.changes.none')}</p> : null}
          </div>
        )}
      </LoadedPart>
    </Part>
  )
}

/** User who took over the open work of a blocked user. */
function NewOwnerLink({ id }: { id: number }) {
  const t = useT()
  const titleOf = useTitleOf(users)
  const may = useMay(users)
  const { data } = useQuery({
    ...resourceQueries(users).one(id, useLocale()),
    enabled: id > 0 && may('get'),
    retry: false,
  })
  if (id === 0) return t('audit.details.queue')
  const { to, search } = recordAddress(findScreen('people/users'), id)
  return data ? (
    <Link to={to} search={search} className={linkClass}>
      {titleOf(data)}
    </Link>
  ) : (
    `${kindLabel(users)} № ${id}`
  )
}

/** Value of an audit line; text written by a person is shown as such, everything else as machine text. */
function Detail({ name, value }: { name: string; value: string }) {
  if (name === 'reason') return <span className="whitespace-pre-line">{value}</span>
  if (name === 'to') return <NewOwnerLink id={Number(value) || 0} />
  return <MachineText text={value} />
}

function Overview({ record }: OverviewProps) {
  const t = useT()
  const locale = useLocale()
  const [address, request, hash] = [textOf(record.address), textOf(record.request_id), textOf(record.hash)]
  const seal = typeof record.seal === 'number' ? record.seal : undefined
  return (
    <div className="mb-8 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid min-w-0 gap-5">
        <Part title={t('audit.line')}>
          <Details
            details={[
              { label: labelOf(audit, 'user'), value: <Person record={record} /> },
              { label: t('audit.record'), value: textOf(record.resource) && <AuditSubject record={record} /> },
              ...detailsOf(record).map(([name, value]) => ({
                label: firstTranslation([`audit.details.${name}`]),
                value: <Detail name={name} value={value} />,
                isWide: name === 'reason',
              })),
              { label: labelOf(audit, 'address'), value: address && <MachineText text={address} /> },
              { label: labelOf(audit, 'request_id'), value: request && <MachineText text={request} /> },
            ]}
          />
        </Part>
        <Changes record={record} />
      </div>
      <aside className="grid min-w-0 gap-5">
        <Part title={t('audit.chain')}>
          {seal === undefined ? (
            <p className="text-muted">{t('audit.chain.open')}</p>
          ) : (
            <Details
              columns={1}
              details={[
                { label: labelOf(audit, 'seal'), value: formatNumber(locale, seal) },
                { label: labelOf(audit, 'hash'), value: <MachineText text={hash} /> },
              ]}
            />
          )}
        </Part>
      </aside>
    </div>
  )
}

function Line({ record }: { record: Entry }) {
  return <time className="tabular-nums">{formatDateTime(textOf(record.createdAt))}</time>
}

export const auditOverview: OverviewSlots = { Overview, Line }
