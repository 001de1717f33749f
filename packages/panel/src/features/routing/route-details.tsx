/** Shows a decision of routing: the rule, everybody with their reasons, and what each rule meant. */
import type { RoutingTrial } from '@dala/model'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useLocale, useT } from '../../lib/i18n.ts'
import { nameOfRouted, reasonTexts } from './route-text.ts'

export function RouteDetails({ route: { rule, reasons, rules } }: { route: RoutingTrial }) {
  const t = useT()
  const locale = useLocale()
  return (
    <div className="grid gap-3.5 text-sm">
      {rule ? <p className="text-muted wrap-anywhere">{t('routing.byRule', { name: rule.name })}</p> : null}
      {rules.length === 0 ? <p className="text-muted">{t('routing.noRules')}</p> : null}
      <section className="grid gap-2">
        <h3 className="text-xs text-muted">{t('routing.colleagues')}</h3>
        <ul className="grid gap-2">
          {reasons.map((reason, index) => (
            <li key={reason.person?.id ?? `removed-${index}`} className="grid gap-0.5">
              <span className="flex items-center gap-1.5 font-medium wrap-anywhere">
                {reason.codes.includes('chosen') ? (
                  <CircleCheck size={15} aria-hidden className="shrink-0 text-success-text" />
                ) : null}
                <bdi>{nameOfRouted(t, reason.person)}</bdi>
              </span>
              <span className="text-muted">{reasonTexts(t, locale, reason).join(' · ')}</span>
            </li>
          ))}
        </ul>
      </section>
      {rules.length > 0 ? (
        <section className="grid gap-2">
          <h3 className="text-xs text-muted">{t('routing.rules')}</h3>
          <ol className="grid list-inside list-decimal gap-1.5">
            {rules.map(({ id, name, outcome }) => (
              <li key={id} className="wrap-anywhere marker:text-muted">
                {name} <span className="text-muted">· {t(`routing.rule.${outcome}`)}</span>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </div>
  )
}
