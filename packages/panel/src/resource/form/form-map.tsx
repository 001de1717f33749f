/** Map below the latitude and longitude of a record. */
import { CatchBoundary } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { Values } from './values.ts'
import type { ResourceForm } from './use-resource-form.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const MapInput = lazyPart(async () => (await import('../../fields/map/map-input.tsx')).MapInput)

const numberOf = (value: unknown) => (typeof value === 'number' && !Number.isNaN(value) ? value : null)

export function FormMap({ form, values }: { form: ResourceForm; values: Readonly<Values> }) {
  const { lat, lng } = values
  const setCoordinate = (name: string, value: number) => {
    form.form.setValue(`shared.${name}`, value, { shouldDirty: true })
    form.form.clearErrors(`shared.${name}`)
  }
  return (
    <div className="md:col-span-2">
      {/* The map of a form is optional: when it fails to load, the two fields still work. */}
      <CatchBoundary getResetKey={() => 'map'} errorComponent={() => null}>
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <MapInput
            lat={numberOf(lat)}
            lng={numberOf(lng)}
            onChange={(newLat, newLng) => {
              setCoordinate('lat', newLat)
              setCoordinate('lng', newLng)
            }}
          />
        </Suspense>
      </CatchBoundary>
    </div>
  )
}
