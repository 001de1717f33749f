/** List of the records that show a file, each a link to its form. */
import { type FileUse, type Resource, resources, resourceTitle, screensOf } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { fileUsesQuery } from '../../fields/picture/library/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { editAddress } from '../../resource/screen-address.ts'
import { LinkButton } from '../../ui/button.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'

const resourceOfWire = (wire: string) =>
  Object.values<Resource>(resources).find((listedResource) => listedResource.wire === wire)

export function UseList({ uses, total = uses.length }: { uses: readonly FileUse[]; total?: number }) {
  const t = useT()
  return (
    <ul className="grid gap-1.5 text-sm">
      {uses.map((use) => (
        <li key={`${use.resource}/${use.id}/${use.field}`} className="min-w-0">
          <UseLine use={use} />
        </li>
      ))}
      {total > uses.length ? (
        <li className="text-muted">{t('library.usesMore', { count: total - uses.length })}</li>
      ) : null}
    </ul>
  )
}

const useLinkClass =
  'inline-block min-h-6 max-w-full font-medium wrap-anywhere text-brand-text underline-offset-[3px] hover:underline pointer-coarse:min-h-11 pointer-coarse:leading-[44px]'

function UseLine({ use }: { use: FileUse }) {
  const t = useT()
  if (use.resource !== 'organisation') return <RecordLine use={use} />
  return (
    <>
      <Link to="/app/system/organisation" className={useLinkClass}>
        {t('page.organisation')}
      </Link>
      <span className="block text-muted">{firstTranslation([`organisation.settings.${use.field}`])}</span>
    </>
  )
}

function RecordLine({ use: { resource: wire, id, field, name } }: { use: FileUse }) {
  const t = useT()
  const locale = useLocale()
  const resource = resourceOfWire(wire)
  const [screen] = resource ? screensOf(resource) : []
  const usedName = name ?? t('record.untitled', { id: formatNumber(locale, id) })
  const kind = resource ? firstTranslation([resourceTitle(resource)]) : wire
  const isField = resource && Object.hasOwn(resource.fields, field)
  return (
    <>
      {screen ? (
        <Link {...editAddress(screen, id)} className={useLinkClass}>
          {usedName}
        </Link>
      ) : (
        <span className="font-medium">{usedName}</span>
      )}
      <span className="block text-muted">
        {[kind, isField ? labelOf(resource, field) : ''].filter(Boolean).join(' · ')}
      </span>
    </>
  )
}

export function FileUses({ id }: { id: number }) {
  const t = useT()
  const { data, error, refetch } = useQuery(fileUsesQuery(id))
  if (error && !data)
    return (
      <div>
        <FailureLine>{`${t('library.usesFailed')}. ${messageOfFailure(error)}`}</FailureLine>
        <LinkButton className="text-sm" onClick={() => void refetch()}>
          {t('action.retry')}
        </LinkButton>
      </div>
    )
  if (!data) return <p className="text-sm text-muted">{t('trash.looking')}</p>
  if (data.total === 0) return <p className="text-sm text-muted">{t('library.usesNone')}</p>
  return <UseList uses={data.uses} total={data.total} />
}
