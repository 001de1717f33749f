/** The boxes by which rows of a list are selected: of one row, and of the page. */
import type { Entry } from '@dala/model'
import { useTitleOf } from '../fields/field-display.tsx'
import { useT } from '../lib/i18n.ts'
import { type Selection, useSelected } from './list-selection.ts'
import type { ResourceList } from './use-resource-list.ts'

interface CheckProps {
  selection: Selection
  entries: readonly Entry[]
}

export function RowCheck({ list, selection, entries, entry }: CheckProps & { list: ResourceList; entry: Entry }) {
  const t = useT()
  const titleOf = useTitleOf(list.screen.resource)
  const checked = useSelected(selection, ({ has }) => has(entry.id))
  return (
    <label className="check-target">
      <input
        type="checkbox"
        className="check"
        aria-label={t('list.selectRow', { name: titleOf(entry) })}
        checked={checked}
        onChange={({ nativeEvent }) =>
          selection.toggle(entries, entry, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  )
}

export function PageCheck({ selection, entries }: CheckProps) {
  const t = useT()
  const count = useSelected(selection, ({ has }) => entries.filter(({ id }) => has(id)).length)
  const whole = count === entries.length
  return (
    <label className="check-target">
      <input
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !whole
        }}
        type="checkbox"
        className="check"
        aria-label={t('list.selectPage')}
        checked={whole && count > 0}
        onChange={() => selection.togglePage(entries, !whole)}
      />
    </label>
  )
}
