/**
 * The price of a post among published ones: their range, a band of usual prices, a tick at the median, a
 * diamond at this price.
 */
import type { PriceScale as Scale } from '@dala/model'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'

/** Width of a figure on the scale, in per cent of the line. */
const room = 17

/** Positions of prices on the scale, in per cent of the line, which includes the price itself. */
function placesOf({ price, min, low, median, high, max }: Scale) {
  const [lowestPrice, highestPrice] = [Math.min(min, price), Math.max(max, price)]
  const span = highestPrice - lowestPrice || 1
  const positionOf = (value: number) => 4 + ((value - lowestPrice) / span) * 92
  return { low: positionOf(low), median: positionOf(median), high: positionOf(high), price: positionOf(price) }
}

/** The price scale and its description; the description alone if there is nothing to compare with. */
export function PriceScale({ scale }: { scale: Scale | null }) {
  const t = useT()
  const locale = useLocale()
  if (!scale) return <p className="text-sm text-muted">{t('moderation.price.none')}</p>
  const scalePositions = placesOf(scale)
  const percent = formatNumber(locale, Math.abs(scale.percent))
  const label =
    scale.percent === 0
      ? t('moderation.price.same')
      : t(scale.percent > 0 ? 'moderation.price.above' : 'moderation.price.below', { percent })
  const isUsual = scale.verdict === 'usual'
  // Figures that would overlap the median on the scale appear only in the sentence.
  const isNear = (name: 'low' | 'median' | 'high') =>
    name !== 'median' && Math.abs(scalePositions[name] - scalePositions.median) < room
  return (
    <div className="grid gap-1">
      <div aria-hidden dir="ltr" className="relative h-9">
        <i className="absolute inset-x-0 top-[7px] h-px bg-line-strong" />
        <i
          style={{
            insetInlineStart: `${scalePositions.low}%`,
            width: `${Math.max(scalePositions.high - scalePositions.low, 0.5)}%`,
          }}
          className="absolute top-[3px] h-[9px] rounded-1 bg-[color-mix(in_oklab,var(--brand-ui)_38%,var(--surface))]"
        />
        <i
          style={{ insetInlineStart: `${scalePositions.median}%` }}
          className="absolute top-0 h-[15px] w-0.5 bg-brand-ui"
        />
        <i
          style={{ insetInlineStart: `calc(${scalePositions.price}% - 5px)` }}
          className={`absolute top-[2px] size-[11px] rotate-45 ${isUsual ? 'bg-brand' : 'bg-warning'}`}
        />
        {(['low', 'median', 'high'] as const).map((name) => (
          <span
            key={name}
            style={{ insetInlineStart: `${scalePositions[name]}%` }}
            className={`absolute top-[19px] -translate-x-1/2 text-xs whitespace-nowrap text-muted tabular-nums ${name === 'median' ? '' : 'max-xl:hidden'} ${isNear(name) ? 'hidden' : ''}`}
          >
            {formatNumber(locale, Math.round(scale[name]))}
          </span>
        ))}
      </div>
      <p className="text-sm">
        <b className={isUsual ? 'font-semibold' : 'font-semibold text-warning-text'}>{label}</b>{' '}
        {t(scale.scope === 'region' ? 'moderation.price.region' : 'moderation.price.country', {
          count: scale.count,
          median: formatNumber(locale, Math.round(scale.median)),
          low: formatNumber(locale, Math.round(scale.low)),
          high: formatNumber(locale, Math.round(scale.high)),
        })}
      </p>
    </div>
  )
}
