/**
 * The common part of the library's screen and its picker: folders, search, filters, the files and their
 * pages.
 */
import type { Entry } from '@dala/model'
import { type ReactNode, type RefObject, useRef } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { Pager } from '../../../ui/layout/pager.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { useFileDrop } from '../../upload/use-file-drop.ts'
import { LibraryBar } from './bar.tsx'
import { FolderList, FolderSelect } from './folders.tsx'
import { LibraryItems } from './items.tsx'
import type { LibraryMode } from './mode.ts'
import { LibraryUpload, useLibraryUploads } from './upload.tsx'
import { isNarrowed, type LibraryView, noFolder, pageSize, wholeLibraryView } from './view.ts'
import { useLibrary } from './use-library.ts'
import type { FileSelection } from './use-picked.ts'

export interface LibraryBrowserProps {
  view: LibraryView
  onView: (view: LibraryView) => void
  mode: LibraryMode
  onMode: (mode: LibraryMode) => void
  selection: FileSelection | undefined
  current?: number | undefined
  onOpen: (entry: Entry) => void
  /** Whether the upload area of the library is open. */
  isUploading: boolean
  onUpload: () => void
  /** Whether the folders fit beside the pictures. */
  showsFolders: boolean
  search?: RefObject<HTMLInputElement | null>
  /** Whether the user can choose other kinds of files than pictures. */
  hasKinds?: boolean
  /** Bar shown above the pictures while some are selected. */
  bulkTools?: ReactNode
  /** Details of the selected picture, shown beside the pictures of the library. */
  aside?: ReactNode
}

export function LibraryBrowser(props: LibraryBrowserProps) {
  const { view, onView, onMode, isUploading, showsFolders, search, hasKinds = false, bulkTools: bulkBar, aside } = props
  // Only files that are pictures have tiles.
  const mode = view.kind === 'pictures' ? props.mode : 'list'
  const area = useRef<HTMLDivElement>(null)
  const uploads = useLibraryUploads(view.folder === noFolder ? '' : view.folder)
  const isDraggedOver = useFileDrop(area, uploads.add)
  // A new filter of the library starts at its first page.
  const change = (viewChange: Partial<LibraryView>) => onView({ ...view, page: 1, ...viewChange })
  const pickFolder = (folder: string) => change({ folder })
  return (
    <>
      <LibraryBar
        view={view}
        onView={change}
        mode={mode}
        onMode={onMode}
        search={search}
        hasKinds={hasKinds}
        folders={showsFolders ? null : <FolderSelect folder={view.folder} onFolder={pickFolder} />}
      />
      {bulkBar}
      <div className="flex items-stretch border-t border-line">
        {showsFolders ? <FolderList folder={view.folder} onFolder={pickFolder} /> : null}
        <div className="min-w-0 flex-1">
          <LibraryUpload uploads={uploads} isOpen={isUploading} />
          <div ref={area} className={cx('min-h-40', isDraggedOver && 'outline-2 -outline-offset-4 outline-focus')}>
            <Files {...props} mode={mode} onView={change} />
          </div>
        </div>
        {aside}
      </div>
    </>
  )
}

type FilesProps = Omit<LibraryBrowserProps, 'onView'> & { onView: (changedView: Partial<LibraryView>) => void }

function Files({ view, onView, mode, selection, current, onOpen, onUpload }: FilesProps) {
  const t = useT()
  const { data, error, refetch, isPlaceholderData } = useLibrary(view)
  if (error && !data)
    return (
      <FailureState
        title={t('library.failed')}
        text={messageOfFailure(error)}
        {...(error instanceof ApiError && error.status > 0 && { status: error.status })}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <LibrarySkeleton mode={mode} />
  const { entries, total } = data
  if (entries.length === 0 && (isNarrowed(view) || view.folder !== '' || view.page > 1))
    return (
      <EmptyState
        title={t('empty.noData')}
        text={t('empty.noResults')}
        action={
          <Button onClick={() => onView({ ...wholeLibraryView, kind: view.kind, sort: view.sort })}>
            {t('action.clearFilters')}
          </Button>
        }
      />
    )
  if (entries.length === 0)
    return (
      <EmptyState
        title={t('empty.noData')}
        text={t(view.kind === 'pictures' ? 'library.emptyText' : 'library.emptyFiles')}
        {...(view.kind === 'pictures' && {
          action: (
            <Button kind="primary" onClick={onUpload}>
              {t('library.upload')}
            </Button>
          ),
        })}
      />
    )
  return (
    <div aria-busy={isPlaceholderData} className={cx('@container', isPlaceholderData && 'opacity-60')}>
      <LibraryItems mode={mode} entries={entries} selection={selection} current={current} onOpen={onOpen} />
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 max-md:px-3.5">
        {selection ? <PageCheck selection={selection} entries={entries} /> : null}
        <span className="me-auto text-sm text-muted">{t('list.item', { count: total })}</span>
        <Pager page={view.page} pageSize={pageSize} total={total} onPageChange={(page) => onView({ page })} />
      </div>
    </div>
  )
}

function PageCheck({ selection, entries }: { selection: FileSelection; entries: readonly Entry[] }) {
  const t = useT()
  const count = entries.filter(({ id }) => selection.files.has(id)).length
  const isWhole = count === entries.length
  return (
    <label className="check-target -ms-1.5">
      <input
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isWhole
        }}
        type="checkbox"
        className="check"
        aria-label={t('library.selectPage')}
        checked={isWhole}
        onChange={() => selection.togglePage(entries, !isWhole)}
      />
    </label>
  )
}

function LibrarySkeleton({ mode }: { mode: LibraryMode }) {
  return (
    <DelayedContent>
      <div
        className={
          mode === 'grid'
            ? 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,10.5rem),1fr))] gap-3 p-4 max-md:grid-cols-2'
            : 'grid gap-3 p-4'
        }
      >
        {Array.from({ length: mode === 'grid' ? 12 : 8 }, (_, index) => (
          <Skeleton key={index} className={mode === 'grid' ? 'h-52 w-full' : 'h-11 w-full'} />
        ))}
      </div>
    </DelayedContent>
  )
}
