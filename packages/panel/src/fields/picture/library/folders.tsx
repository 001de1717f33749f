/**
 * The folders of the library with the number of pictures in each: a list beside the pictures, or one control.
 */
import type { FolderCount } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { cx } from '../../../lib/class-names.ts'
import { compareText, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Select } from '../../../ui/inputs/select.tsx'
import { sumCounts, foldersOf, countWithoutFolder } from './folder-names.ts'
import { foldersQuery } from './api.ts'
import { noFolder } from './view.ts'
import { useLibraryOwner } from './use-library.ts'

interface FoldersProps {
  folder: string
  onFolder: (folder: string) => void
}

const noFolders: readonly FolderCount[] = []

/** Choices of folders in the library; "all" and "no folder" come first. */
function useFolderLines() {
  const t = useT()
  const locale = useLocale()
  const { data = noFolders } = useQuery(foldersQuery)
  // The counts of folders are of all pictures: a user who sees only some pictures must not see them.
  const isCounted = useLibraryOwner() === 'everybody'
  const lines = [
    { path: '', name: t('library.allFolders'), folderDepth: 0, count: sumCounts(data) },
    { path: noFolder, name: t('library.noFolder'), folderDepth: 0, count: countWithoutFolder(data) },
    ...foldersOf(data, (left, right) => compareText(locale, left, right)),
  ]
  return lines.map((line) => ({ ...line, figure: isCounted ? formatNumber(locale, line.count) : '' }))
}

export function FolderList({ folder, onFolder }: FoldersProps) {
  const t = useT()
  const lines = useFolderLines()
  return (
    <nav aria-label={t('library.folders')} className="w-52 shrink-0 border-e border-line p-3">
      <ul className="grid gap-0.5">
        {lines.map(({ path, name, folderDepth: depth, figure }) => (
          <li key={path} className="min-w-0">
            <button
              type="button"
              aria-current={path === folder ? 'true' : undefined}
              onClick={() => onFolder(path)}
              // Each level of folders is indented further, as far as there is space.
              style={{ paddingInlineStart: `${10 + Math.min(depth, 4) * 14}px` }}
              className="flex min-h-9 w-full items-baseline gap-2 rounded-2 py-1.5 pe-2.5 text-start text-muted hover:bg-hover hover:text-ink aria-[current]:bg-brand-soft aria-[current]:font-semibold aria-[current]:text-on-brand-soft"
            >
              <span className={cx('min-w-0 flex-1 wrap-anywhere', depth > 0 && 'text-sm')}>
                {depth > 0 ? <span className="sr-only">{path.slice(0, -name.length)}</span> : null}
                {name}
              </span>
              <span className="text-xs tabular-nums">{figure}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function FolderSelect({ folder, onFolder }: FoldersProps) {
  const t = useT()
  const lines = useFolderLines()
  const isListed = lines.some(({ path }) => path === folder)
  return (
    <Select
      variant="filter"
      aria-label={t('field.folder')}
      value={folder}
      onValueChange={onFolder}
      choices={[
        ...lines.map(({ path, name, figure }) => ({
          value: path,
          label: path === '' || path === noFolder ? name : path,
          note: figure,
        })),
        // The address of the library may name a folder that no longer exists.
        ...(isListed ? [] : [{ value: folder, label: folder }]),
      ]}
      className="max-w-60"
    />
  )
}
