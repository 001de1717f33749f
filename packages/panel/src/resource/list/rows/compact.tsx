/** A list without a table: cards on a phone, and the picture modes. */
import { ListCards } from './cards.tsx'
import { ListGallery } from './gallery.tsx'
import type { DisplayMode } from '../list-session.ts'
import type { ListRowsProps } from './row.tsx'

export function ListCompact({ mode, ...rows }: ListRowsProps & { mode: DisplayMode }) {
  return mode === 'list' ? <ListCards {...rows} /> : <ListGallery {...rows} mode={mode} />
}
