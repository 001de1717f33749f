/** A list without a table: cards on a phone, and the picture modes; sorting stands above, as there is no head. */
import { ListCards } from './list-cards.tsx'
import { ListGallery } from './list-gallery.tsx'
import { type DisplayMode, ModeSwitch } from './list-modes.tsx'
import { ListSort } from './list-sort.tsx'
import type { ListRowsProps } from './list-row.tsx'

export function ListCompact({ mode, isPhone, ...rows }: ListRowsProps & { mode: DisplayMode; isPhone: boolean }) {
  return (
    <>
      <div className="flex items-center justify-between gap-x-3 border-t border-line px-4 py-2 max-md:px-3.5">
        <ListSort list={rows.list} />
        {isPhone ? <ModeSwitch list={rows.list} /> : null}
      </div>
      {mode === 'list' ? <ListCards {...rows} /> : <ListGallery {...rows} mode={mode} />}
    </>
  )
}
