/**
 * A map beside the latitude and longitude of a form. The two numbers are the value; the map sets and shows
 * them.
 */
import { isLocale, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { useTitleOf } from '../field-display.tsx'
import { drawMap, type PlaceMap } from './draw-map.ts'
import { MapButtons } from './map-buttons.tsx'
import { problemOf, placeOf, roundMapPlace } from './place.ts'

export interface MapInputProps {
  lat: number | null
  lng: number | null
  onChange: (lat: number, lng: number) => void
}

/** Query of the regions that have coordinates, for the names on the map. */
function useRegions() {
  const locale = useLocale()
  const nameOf = useTitleOf(resources.regions)
  const query = { ...languageOf(resources.regions, locale), sort: 'order', pagination: { pageSize: 100 } }
  const { data } = useQuery({ ...resourceQueries(resources.regions).list(query), staleTime: 10 * 60_000 })
  return data?.entries.flatMap((entry) => {
    const { lat, lng } = entry
    if (typeof lat !== 'number' || typeof lng !== 'number') return []
    return [{ lat, lng, name: nameOf(entry), lang: isLocale(entry.locale) ? entry.locale : undefined }]
  })
}

export function MapInput({ lat, lng, onChange }: MapInputProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<PlaceMap | null>(null)
  const regions = useRegions()
  const mapLocation = placeOf(lat, lng)
  const problem = mapLocation && problemOf(mapLocation)
  const markerName = t('map.marker')
  const emitChange = useEffectEvent((location: { lat: number; lng: number }) => {
    const roundedLocation = roundMapPlace(location)
    onChange(roundedLocation.lat, roundedLocation.lng)
  })

  useEffect(() => {
    if (!box.current) return undefined
    const placeMap = drawMap(box.current, (location) => emitChange(location))
    setMap(placeMap)
    return () => placeMap.remove()
  }, [])
  useEffect(() => map?.setMarkerName(markerName), [map, markerName])
  useEffect(() => map?.setPlace(placeOf(lat, lng)), [map, lat, lng])
  useEffect(() => {
    if (regions) map?.setRegions(regions)
  }, [map, regions])

  return (
    <fieldset aria-label={t('map.title')} className="grid gap-1.5">
      <div className="relative overflow-hidden rounded-2 border border-line-strong">
        <div ref={box} className="place-map h-72 md:h-80" />
        <MapButtons map={map} />
      </div>
      <p className="text-sm text-muted">{t('map.help')}</p>
      <output className="flex flex-wrap items-center gap-x-3 text-sm text-warning-text empty:hidden">
        {problem === 'outside' ? t('map.outside') : null}
        {mapLocation && problem === 'swapped' ? (
          <>
            {t('map.swapped')}
            <LinkButton onClick={() => onChange(mapLocation.lng, mapLocation.lat)}>{t('map.swap')}</LinkButton>
          </>
        ) : null}
      </output>
    </fieldset>
  )
}
