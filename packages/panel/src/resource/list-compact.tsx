/** A list without a table: cards on a phone, and the picture modes. */
import { ListCards } from './list-cards.tsx'
import { ListGallery } from './list-gallery.tsx'
import type { DisplayMode } from './list-modes.tsx'
import type { ListRowsProps } from './list-row.tsx'

export function ListCompact({ mode, ...rows }: ListRowsProps & { mode: DisplayMode }) {
  return mode === 'list' ? <ListCards {...rows} /> : <ListGallery {...rows} mode={mode} />
}
