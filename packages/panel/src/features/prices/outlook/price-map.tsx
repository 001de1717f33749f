/** The districts as marks on a map, larger for higher prices; the table beside it has the same data. */
import type { Locale, PriceChanges } from '@dala/model'
import { useEffect, useMemo, useRef, useState } from 'react'
import { MapButtons } from '../../../fields/map/map-buttons.tsx'
import { placeOf } from '../../../fields/map/place.ts'
import { drawSpread, type SpreadMap, type SpreadMark } from '../../../fields/map/spread-map.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { priceText } from './price-text.ts'
import { placedPrices, computePriceSpread } from './spread.ts'

/** Marks of the districts that have a location, and the number of those without one. */
function marksOf(data: PriceChanges, locale: Locale): { marks: SpreadMark[]; unplaced: number } {
  const prices = placedPrices(data)
  const { low = 0, highPrice: high = 0 } = computePriceSpread(data) ?? {}
  const marks = prices.flatMap(({ lat, lng, name, value, isCarried: isCarriedOver }): SpreadMark[] => {
    const coordinates = placeOf(lat, lng)
    if (!coordinates) return []
    const size = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5
    const isEnd = !isCarriedOver && (value === low || value === high)
    return [{ ...coordinates, name, text: priceText(locale, value), size, isEnd, isHollow: isCarriedOver }]
  })
  return { marks, unplaced: prices.length - marks.length }
}

export function PriceMap({ data }: { data: PriceChanges }) {
  const t = useT()
  const locale = useLocale()
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<SpreadMap | null>(null)
  const { marks, unplaced } = useMemo(() => marksOf(data, locale), [data, locale])

  useEffect(() => {
    if (!box.current) return undefined
    const spreadMap = drawSpread(box.current)
    setMap(spreadMap)
    return () => spreadMap.remove()
  }, [])
  useEffect(() => map?.setMarks(marks), [map, marks])

  return (
    <>
      <div className="relative">
        {/* Assistive technology skips the map, because the table has the same data as the marks. */}
        <div ref={box} aria-hidden className="place-map h-[460px] max-md:h-[320px]" />
        <MapButtons map={map} />
      </div>
      <p className="border-t border-line px-4 py-2.5 text-sm text-muted">
        {t('prices.mapHelp')} {unplaced > 0 ? t('prices.unplaced', { count: unplaced }) : null}
      </p>
    </>
  )
}
