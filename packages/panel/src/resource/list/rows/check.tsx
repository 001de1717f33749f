/** The checkboxes that select rows of a list: one for each row, and one for the page. */
import type { Entry, Resource } from '@dala/model'
import { useLayoutEffect, useRef } from 'react'
import { useTitleOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { type Selection, useSelectionValue } from '../selection.ts'

interface RowCheckProps {
  resource: Resource
  selection: Selection
  entry: Entry
  onToggle: (entry: Entry, range: boolean) => void
}

export function RowCheck({ resource, selection, entry, onToggle }: RowCheckProps) {
  const t = useT()
  const titleOf = useTitleOf(resource)
  const isChecked = useSelectionValue(selection, ({ has }) => has(entry.id))
  const label = useRef<HTMLLabelElement>(null)
  // A selected row is marked on the row element itself, because React or a `:has()` selector would update all
  // its cells.
  useLayoutEffect(() => {
    label.current?.closest('[data-row]')?.toggleAttribute('data-selected', isChecked)
  }, [isChecked])
  return (
    <label ref={label} className="check-target">
      <input
        type="checkbox"
        className="check"
        aria-label={t('list.selectRow', { name: titleOf(entry) })}
        checked={isChecked}
        onChange={({ nativeEvent }) => onToggle(entry, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  )
}

export function PageCheck({ selection, entries }: { selection: Selection; entries: readonly Entry[] }) {
  const t = useT()
  const count = useSelectionValue(selection, ({ has }) => entries.filter(({ id }) => has(id)).length)
  const isPageSelected = count === entries.length
  return (
    <label className="check-target">
      <input
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isPageSelected
        }}
        type="checkbox"
        className="check"
        aria-label={t('list.selectPage')}
        checked={isPageSelected && count > 0}
        onChange={() => selection.togglePage(entries, !isPageSelected)}
      />
    </label>
  )
}
