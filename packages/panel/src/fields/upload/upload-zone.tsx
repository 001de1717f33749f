/** A field that takes files: dropped, pasted, chosen with its button or its dashed area, or photographed. */
import Camera from 'lucide-react/icons/camera'
import Images from 'lucide-react/icons/images'
import ImagePlus from 'lucide-react/icons/image-plus'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ChangeEvent, type ReactNode, useRef } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { Button } from '../../ui/button.tsx'
import { useFieldControl, useFieldLabel } from '../../ui/inputs/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuParts } from '../../ui/overlays/menu.tsx'
import { useFileDrop } from './use-file-drop.ts'

/** Media query of handheld devices, which have a camera. */
const handheldQuery = '(pointer: coarse) and (max-width: 767px)'

export interface UploadZoneProps {
  isMultiple: boolean
  /**
   * The control that chooses files: the area, a button that replaces the current file, or none while the
   * field is full.
   */
  chooser: 'well' | 'replace' | 'none'
  hint: ReactNode
  onFiles: (files: readonly File[]) => void
  /** Opens the library of pictures, where that is another way to choose. */
  onLibrary?: () => void
  /** Stored files of the upload field. */
  children: ReactNode
  /** Pending uploads of the upload field. */
  pendingRows: ReactNode
  /** Items in the menu of the stored file, for further actions on it. */
  items?: (menu: MenuParts) => ReactNode
}

export function UploadZone({
  isMultiple,
  chooser,
  hint,
  onFiles,
  onLibrary,
  children,
  pendingRows: uploadRows,
  items,
}: UploadZoneProps) {
  const t = useT()
  const label = useFieldLabel()
  const { id, ...control } = useFieldControl()
  const zone = useRef<HTMLFieldSetElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const cameraInput = useRef<HTMLInputElement>(null)
  const isHandheld = useMedia(handheldQuery)
  const addFiles = (files: readonly File[]) => onFiles(isMultiple ? files : files.slice(0, 1))
  const isDraggedOver = useFileDrop(zone, addFiles)
  const choose = () => input.current?.click()
  const openCamera = () => cameraInput.current?.click()
  const onChosen = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // An emptied file input lets the user choose the same file again after a failure.
    target.value = ''
    if (files.length > 0) addFiles(files)
  }
  return (
    <fieldset
      ref={zone}
      id={id}
      aria-labelledby={label}
      aria-describedby={control['aria-describedby']}
      className={cx('grid min-w-0 gap-3.5 rounded-2', isDraggedOver && 'outline-2 outline-offset-4 outline-focus')}
    >
      {chooser === 'replace' ? (
        <>
          <div className="relative">
            {children}
            <span className="absolute end-2 top-2 rounded-2 border border-line bg-surface">
              <Menu trigger={<IconButton label={t('upload.actions')} icon={<Ellipsis size={18} aria-hidden />} />}>
                {(menu) => (
                  <>
                    {onLibrary ? (
                      <menu.Item icon={<Images size={16} aria-hidden />} onClick={onLibrary}>
                        {t('upload.fromLibrary')}
                      </menu.Item>
                    ) : null}
                    {isHandheld ? (
                      <menu.Item icon={<Camera size={16} aria-hidden />} onClick={openCamera}>
                        {t('upload.camera')}
                      </menu.Item>
                    ) : null}
                    {items?.(menu)}
                  </>
                )}
              </Menu>
            </span>
          </div>
          <div>
            <Button data-main="" onClick={choose}>
              {t('action.replace')}
            </Button>
          </div>
        </>
      ) : (
        children
      )}
      {chooser === 'well' ? (
        <button
          type="button"
          onClick={choose}
          aria-describedby={control['aria-describedby']}
          className={cx(
            'grid justify-items-center gap-0.5 rounded-2 border border-dashed bg-sunken px-4 py-6 text-center hover:border-muted',
            control['aria-invalid'] ? 'border-danger-text' : 'border-line-strong',
          )}
        >
          <ImagePlus size={26} aria-hidden strokeWidth={1.6} className="mb-1.5 text-brand-text" />
          <span className="font-semibold">{t('action.dragHere')}</span>
          <span className="font-semibold text-brand-text">{t('upload.orChoose')}</span>
          <span className="mt-0.5 text-sm text-muted">{hint}</span>
        </button>
      ) : null}
      {chooser === 'well' ? (
        <div className="flex flex-wrap gap-2 empty:hidden">
          {onLibrary ? (
            <Button icon={<Images size={17} aria-hidden />} onClick={onLibrary}>
              {t('upload.fromLibrary')}
            </Button>
          ) : null}
          {isHandheld ? (
            <Button icon={<Camera size={18} aria-hidden />} onClick={openCamera}>
              {t('upload.camera')}
            </Button>
          ) : null}
        </div>
      ) : null}
      {uploadRows}
      <input ref={input} type="file" accept="image/*" multiple={isMultiple} hidden onChange={onChosen} />
      {isHandheld ? (
        <input ref={cameraInput} type="file" accept="image/*" capture="environment" hidden onChange={onChosen} />
      ) : null}
    </fieldset>
  )
}
