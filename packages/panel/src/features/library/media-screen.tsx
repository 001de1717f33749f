/** The media library: all files by kind, with their folders and filters, and the details of the open one. */
import type { Entry } from '@dala/model'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Upload from 'lucide-react/icons/upload'
import { useRef, useState } from 'react'
import { useObstacle } from '../../api/use-obstacle.ts'
import { LibraryBrowser } from '../../fields/picture/library/browser.tsx'
import { useLibraryMode } from '../../fields/picture/library/mode.ts'
import { type LibraryView, searchOf, viewOf } from '../../fields/picture/library/view.ts'
import { useLibrary } from '../../fields/picture/library/use-library.ts'
import { useFileSelection } from '../../fields/picture/library/use-picked.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { LeaveQuestion } from '../../resource/leave-question.tsx'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { BulkFiles } from './bulk-files.tsx'
import { FilePlace } from './file-place.tsx'
import { SpaceLine } from './space-line.tsx'
import { useFileForm } from './use-file-form.ts'

/** Minimum width of the library at which the details are beside the pictures. */
const wideLayout = '(min-width: 1024px)'
/**
 * Minimum width of the library at which the folders are beside the pictures: with the details open, and
 * without.
 */
const folderLayouts = { open: '(min-width: 1600px)', closed: '(min-width: 1024px)' } as const

const idOf = (text: unknown): number | undefined =>
  typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined

/** Parameters of the library's address: filters, view, and the open file. */
function useShown() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (newSearch: object, replace = false) =>
    void navigate({
      to: '.',
      search: (formerSearch: object) => ({ ...formerSearch, ...newSearch }),
      resetScroll: false,
      replace,
    })
  const [mode, remember] = useLibraryMode(search['mode'])
  return {
    view: viewOf(search),
    file: idOf(search['file']),
    mode,
    showView: (view: LibraryView) => change(searchOf(view)),
    showMode: (newMode: typeof mode) => {
      remember(newMode)
      change({ mode: newMode }, true)
    },
    showFile: (id: number | undefined) => change({ file: id === undefined ? undefined : String(id) }),
  }
}

export function MediaScreen() {
  const t = useT()
  const obstacle = useObstacle()
  const locale = useLocale()
  const title = t('page.media')
  useDocumentTitle(title)
  const { view, file, mode, showView, showMode, showFile } = useShown()
  const { data } = useLibrary(view)
  const { page: _page, sort: _sort, ...filters } = view
  const selection = useFileSelection(JSON.stringify(filters))
  const form = useFileForm(
    file,
    data?.entries.find(({ id }) => id === file),
  )
  const sheet = useRef<HTMLElement>(null)
  const [isUploading, setUploading] = useState(false)
  const isSideBySide = useMedia(wideLayout)
  const showsFolders = useMedia(folderLayouts[file === undefined ? 'closed' : 'open'])
  const focusSheet = () => sheet.current?.focus({ preventScroll: true })
  const closeDetails = () => {
    const tile = sheet.current?.querySelector<HTMLElement>(`[data-tile="${file ?? ''}"]`)
    showFile(undefined)
    // The focus returns to the picture when the details beside the pictures close; a dialog does this itself.
    if (isSideBySide && !form.isDirty) (tile ?? sheet.current)?.focus({ preventScroll: true })
  }
  const deselectFiles = (ids: readonly number[]) => {
    if (file === undefined || !ids.includes(file)) return
    form.discardDraft()
    showFile(undefined)
  }
  return (
    <>
      <PageHead
        title={title}
        total={data && formatNumber(locale, data.total)}
        about={t('library.about')}
        actions={
          // Files other than pictures are uploaded in the forms that use them.
          view.kind === 'pictures' ? (
            <Button
              kind="primary"
              aria-expanded={isUploading}
              disabled={obstacle ?? false}
              icon={<Upload size={17} aria-hidden />}
              onClick={() => setUploading(!isUploading)}
            >
              {t('library.upload')}
            </Button>
          ) : undefined
        }
      />
      <div className="flex items-start gap-5">
        <Sheet isStrip ref={sheet} tabIndex={-1} aria-label={t('library.files')} className="min-w-0 flex-1 outline-0">
          <LibraryBrowser
            view={view}
            onView={showView}
            mode={mode}
            onMode={showMode}
            selection={selection}
            current={file}
            onOpen={({ id }: Entry) => showFile(id)}
            isUploading={isUploading && view.kind === 'pictures'}
            onUpload={() => setUploading(true)}
            showsFolders={showsFolders}
            hasKinds
            bulkTools={<BulkFiles selection={selection} onDone={focusSheet} onRemoved={deselectFiles} />}
          />
        </Sheet>
        <FilePlace
          id={file}
          form={form}
          isSideBySide={isSideBySide}
          onClose={closeDetails}
          onGone={() => {
            form.discardDraft()
            showFile(undefined)
            focusSheet()
          }}
        />
      </div>
      <SpaceLine kind={view.kind} />
      <LeaveQuestion isUnsaved={() => form.isDirty} searchKey="file" onLeave={form.discardDraft} />
    </>
  )
}
