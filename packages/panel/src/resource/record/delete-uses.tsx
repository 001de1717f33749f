/**
 * The uses of a record before it is deleted: first the blocking ones, then those that are deleted or unlinked
 * with it.
 */
import { type Resource, resources, resourceTitle, screensOf, type Use } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { labelOf } from '../../fields/field-display.tsx'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import { recordAddress } from '../screen-address.ts'

const resourceOfWire = (wire: string) =>
  Object.values<Resource>(resources).find((listedResource) => listedResource.wire === wire)

export function DeleteUses({ uses, isLoading }: { uses: readonly Use[] | undefined; isLoading: boolean }) {
  const t = useT()
  if (isLoading) return <p className="text-sm text-muted">{t('trash.looking')}</p>
  // A failed request does not block the user: the server decides in any case.
  if (!uses || uses.length === 0) return null
  const isHeld = uses.some(({ rule }) => rule === 'restrict')
  return (
    <div className="grid gap-2">
      {isHeld ? (
        <p role="alert" className="font-medium text-danger-text">
          {t('trash.held')}
        </p>
      ) : null}
      <ul className="grid gap-2">
        {uses.map((use) => (
          <li key={`${use.resource}/${use.field ?? ''}/${use.rule}`} className="text-sm">
            <Line use={use} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const ruleLabels = { restrict: 'trash.use.restrict', cascade: 'trash.use.cascade', detach: 'trash.use.detach' } as const

function Line({ use: { resource: wire, field, count, rule, records } }: { use: Use }) {
  const t = useT()
  const resource = resourceOfWire(wire)
  const [screen] = resource ? screensOf(resource) : []
  const messageParams = {
    count,
    resource: resource ? firstTranslation([resourceTitle(resource)]) : wire,
    field: resource && field ? labelOf(resource, field) : '',
  }
  return (
    <>
      <p>
        {t(ruleLabels[rule], messageParams)}
        {messageParams.field ? (
          <span className="text-muted"> {t('trash.use.field', { field: messageParams.field })}</span>
        ) : null}
      </p>
      {rule === 'restrict' && records.length > 0 ? (
        <ul className="mt-0.5 flex flex-wrap gap-x-3">
          {records.map(({ id, name }) => (
            <li key={id} className="max-w-full">
              {screen ? (
                <Link
                  {...recordAddress(screen, id)}
                  className="inline-block min-h-6 max-w-full truncate text-brand-text underline-offset-[3px] hover:underline pointer-coarse:min-h-11 pointer-coarse:leading-[44px]"
                >
                  {name}
                </Link>
              ) : (
                name
              )}
            </li>
          ))}
          {count > records.length ? <li aria-hidden>…</li> : null}
        </ul>
      ) : null}
    </>
  )
}
