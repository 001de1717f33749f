/** The dialog of the picker: the library, where a press chooses a picture instead of opening it. */
import type { Entry } from '@dala/model'
import Upload from 'lucide-react/icons/upload'
import { useRef, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { LibraryBrowser } from './browser.tsx'
import { useLibraryMode } from './mode.ts'
import { wholeLibraryView } from './view.ts'
import { useFileSelection } from './use-picked.ts'

export interface LibraryPickerProps {
  open: boolean
  /** Whether several pictures may be chosen. */
  isMultiple: boolean
  onClose: () => void
  onChoose: (entries: Entry[]) => void
}

export function PickerDialog({ open, isMultiple, onClose, onChoose }: LibraryPickerProps) {
  const t = useT()
  const search = useRef<HTMLInputElement>(null)
  const [view, setView] = useState(wholeLibraryView)
  const [mode, setMode] = useLibraryMode()
  const [isUploading, setUploading] = useState(false)
  // A new search in the picker adds to the selected pictures: only closing the dialog ends the selection.
  const selection = useFileSelection('')
  const closePicker = () => {
    selection.clear()
    setUploading(false)
    onClose()
  }
  const choose = (entries: Entry[]) => {
    onChoose(entries)
    closePicker()
  }
  const count = selection.files.size
  return (
    <Dialog
      open={open}
      onOpenChange={(shouldOpen) => !shouldOpen && closePicker()}
      title={t(isMultiple ? 'library.pickSeveral' : 'library.pick')}
      isWide
      initialFocus={search}
      actions={
        <>
          <Button
            className="me-auto"
            aria-expanded={isUploading}
            icon={<Upload size={16} aria-hidden />}
            onClick={() => setUploading(!isUploading)}
          >
            {t('library.upload')}
          </Button>
          <Button onClick={closePicker}>{t('action.cancel')}</Button>
          {isMultiple ? (
            <Button
              kind="primary"
              disabled={count === 0 && t('library.chooseFirst')}
              onClick={() => choose([...selection.files.values()])}
            >
              {t('library.take', { count })}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="-mx-4 max-h-[62dvh] overflow-y-auto border-y border-line max-md:-mx-5 max-md:max-h-[calc(100dvh-220px)]">
        <LibraryBrowser
          view={view}
          onView={setView}
          mode={mode}
          onMode={setMode}
          selection={isMultiple ? selection : undefined}
          onOpen={(entry) => (isMultiple ? selection.toggleEntry([entry], entry, false) : choose([entry]))}
          isUploading={isUploading}
          onUpload={() => setUploading(true)}
          showsFolders={false}
          search={search}
        />
      </div>
    </Dialog>
  )
}
