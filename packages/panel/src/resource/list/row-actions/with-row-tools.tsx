/**
 * The tools for the rows of a list, loaded on demand: the bar of selected rows, and the tools in the rows
 * themselves.
 */
import type { Entry } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import {
  type ReactNode,
  startTransition,
  Suspense,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { loadFeatureMessages, useT } from '../../../lib/i18n.ts'
import { waitForQuiet } from '../../../lib/quiet.ts'
import { loadDialog } from '../../../ui/overlays/dialog.tsx'
import { lazyOptionalPart, lazyFeature, preload } from '../../../ui/lazy-part.ts'
import type { ListRowsProps } from '../rows/row.tsx'
import { useSelectionValue } from '../selection.ts'
import type { BulkBarProps, WithRowToolsProps } from './row-tools-props.ts'
import type { ResourceList } from '../use-resource-list.ts'
import { useMay } from '../../use-may.ts'

const loadBar = () => import('../bulk/bar.tsx')
const BulkBar = lazyFeature(async () => (await loadBar()).BulkBar)
const RowTools = lazyOptionalPart(async () => (await import('./row-tools.tsx')).RowTools)

/** Wraps the rows of a list. The tools of the rows load when the page is rendered and idle. */
export function WithRowTools({ children, ...props }: WithRowToolsProps & { children: ReactNode }) {
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    let hasEnded = false
    void waitForQuiet().then(() => {
      if (hasEnded) return
      startTransition(() => setReady(true))
      for (const load of [loadBar, loadDialog]) preload(load)
    })
    return () => {
      hasEnded = true
    }
  }, [])
  return (
    <div ref={setRoot}>
      {props.selection ? <BulkBarSlot {...props} selection={props.selection} /> : null}
      {children}
      {isReady && root ? (
        <Suspense fallback={null}>
          <RowTools {...props} root={root} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** The slot of the bulk bar. Its space is reserved immediately, because the bar may load later. */
function BulkBarSlot(props: BulkBarProps) {
  const t = useT()
  const count = useSelectionValue(props.selection, (selection) => selection.count())
  const bar = useRef<HTMLDivElement>(null)
  const announcement = useRef<HTMLOutputElement>(null)
  // The pressed checkbox renders first, then the bar of selected rows.
  const isOpen = useDeferredValue(count > 0)
  useLayoutEffect(() => {
    const box = bar.current?.getBoundingClientRect()
    // The page scrolls by the height of the bulk bar, so that the next checkbox stays under the pointer.
    if (
      !box ||
      box.height === 0 ||
      box.bottom <= 0 ||
      getComputedStyle(bar.current ?? document.body).position === 'fixed'
    )
      return
    window.scrollBy(0, box.height)
    return () => window.scrollBy(0, -box.height)
  }, [isOpen])
  const wasOpen = useRef(false)
  useEffect(() => {
    const isGone = wasOpen.current && !isOpen
    wasOpen.current = isOpen
    if (!isGone) return
    // The focused element of the bulk bar, or of its dialog, was removed with it.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      announcement.current?.parentElement
        ?.querySelector<HTMLElement>('[data-row] [data-name]')
        ?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [isOpen])
  return (
    <>
      <output ref={announcement} className="sr-only">
        {count > 0 ? t('list.selected', { count }) : ''}
      </output>
      {isOpen ? (
        <div ref={bar} className="bulk-bar">
          <Suspense fallback={null}>
            <BulkBar {...props} />
          </Suspense>
        </div>
      ) : null}
    </>
  )
}

/** Moves a row of a list by one place, where the rows have a manual order and the user may change it. */
export function useRowMoves(list: ResourceList, entries: readonly Entry[]): ListRowsProps['onMove'] {
  const cache = useQueryClient()
  const { resource } = list.screen
  const may = useMay(resource)
  const { sort } = list.order
  const order = resource.fields['order']
  if (!order || order.readOnly || sort?.field !== 'order' || sort.descending || !may('update')) return undefined
  return (entry, step) =>
    void Promise.all([import('./reorder.ts'), loadFeatureMessages()]).then(([{ moveRow }]) =>
      moveRow(cache, resource, entries, entries.indexOf(entry), entries.indexOf(entry) + step),
    )
}
