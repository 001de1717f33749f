/** The one bar that saves a form: the last failure, the unsaved state, discard, save. */
import type { Screen } from '@dala/model'
import Check from 'lucide-react/icons/check'
import ChevronUp from 'lucide-react/icons/chevron-up'
import Languages from 'lucide-react/icons/languages'
import Plus from 'lucide-react/icons/plus'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { narrowQuery, phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { useWasEverTrue } from '../../../ui/use-ever.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { waitText } from './failure.ts'
import { SaveFailureNotice } from './failure-notice.tsx'
import { useSecondsUntil } from '../../retry-after.ts'
import type { ResourceForm } from '../use-resource-form.ts'

interface SaveBarProps {
  screen: Screen
  form: ResourceForm
  isNew: boolean
  /** Saves the form, then opens the form of a new record. */
  onSaveAndNew: () => void
  /** Saves the form, then opens the next language; absent for a single language. */
  onSaveAndNext: (() => void) | undefined
  /** Saves the form as a new record, after another user deleted the old one. */
  onSaveAsNew: () => void
}

export function SaveBar({ screen, form, isNew, onSaveAndNew, onSaveAndNext, onSaveAsNew }: SaveBarProps) {
  const t = useT()
  const obstacle = useObstacle()
  const { isDirty, save, failure, isLocked } = form
  // On a phone the label of the save button leaves no space for the state of the form.
  const isShort = useMedia(phoneQuery)
  // On a phone the label of the save button leaves no space for the menu of further ways to save.
  const isNarrow = useMedia(narrowQuery)
  const wait = useSecondsUntil(failure?.kind === 'busy' ? failure.until : undefined)
  // The state of a form that has just opened is not announced.
  const isAnnounced = useWasEverTrue(isDirty || isNew || obstacle !== undefined)
  if (isLocked && !failure) return null
  const isGone = failure?.kind === 'gone' && failure.isWhole
  const uploadingText = form.isUploading ? t('chat.uploading') : undefined
  const lockedReason = obstacle ?? waitText(t, wait, isGone) ?? uploadingText
  const disabledReason = lockedReason ?? (!isDirty && !isNew && t('form.nothingChanged'))
  // The actions beside the save button are disabled during a save.
  const savingText = save.isPending && t('form.isSaving')
  const statusText = obstacle ?? uploadingText ?? (isDirty ? t('form.unsaved') : isNew ? '' : t('form.saved'))
  const isImplied = isShort && isDirty && !obstacle && !uploadingText
  return (
    <div className="save-bar border-t border-line bg-surface px-6 py-3 max-md:px-3.5">
      {failure ? (
        <SaveFailureNotice screen={screen} form={form} failure={failure} wait={wait} onSaveAsNew={onSaveAsNew} />
      ) : null}
      {isLocked ? null : (
        <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
          {/* Only half a sentence fits beside three buttons on a phone; the buttons already show that there
              are changes. */}
          <output
            aria-live={isAnnounced ? undefined : 'off'}
            className={cx(
              'flex flex-1 items-center gap-2.5 text-muted max-md:text-sm',
              statusText === '' || isImplied ? 'min-w-0' : 'min-w-40',
            )}
          >
            {statusText === '' ? null : (
              <i
                aria-hidden
                className={cx(
                  'size-2 shrink-0 rounded-full',
                  isDirty || uploadingText ? 'bg-warning' : 'bg-line-strong',
                )}
              />
            )}
            <span className={isImplied ? 'sr-only' : 'leading-tight'}>{statusText}</span>
          </output>
          {isDirty || !isShort ? (
            <Button
              kind="quiet"
              disabled={savingText || (!isDirty && t('form.nothingChanged'))}
              onClick={form.discardChanges}
            >
              {t('form.discard')}
            </Button>
          ) : null}
          {onSaveAndNext && !isNarrow ? (
            <Button
              disabled={savingText || lockedReason}
              icon={<Languages size={17} aria-hidden />}
              onClick={onSaveAndNext}
            >
              {t('form.saveAndNext')}
            </Button>
          ) : null}
          {isNew && !isNarrow ? (
            <Button
              disabled={savingText || disabledReason}
              icon={<Plus size={17} aria-hidden />}
              onClick={onSaveAndNew}
            >
              {t('action.saveAndAddAnother')}
            </Button>
          ) : null}
          <Button
            // The save bar is emphasised only with unsaved changes.
            kind={isDirty || isNew ? 'primary' : 'plain'}
            type="submit"
            isBusy={save.isPending}
            disabled={disabledReason}
            icon={<Check size={17} aria-hidden />}
          >
            {t(isNew || isShort ? 'action.save' : 'form.saveChanges')}
          </Button>
          {(isNew || onSaveAndNext) && isNarrow ? (
            <Menu
              trigger={
                <IconButton
                  label={t('form.moreSaving')}
                  icon={<ChevronUp size={18} aria-hidden />}
                  disabled={savingText || (onSaveAndNext ? lockedReason : disabledReason)}
                />
              }
            >
              {({ Item }) => (
                <>
                  {onSaveAndNext ? (
                    <Item icon={<Languages size={16} aria-hidden />} onClick={onSaveAndNext}>
                      {t('form.saveAndNext')}
                    </Item>
                  ) : null}
                  {isNew ? (
                    <Item icon={<Plus size={16} aria-hidden />} onClick={onSaveAndNew}>
                      {t('action.saveAndAddAnother')}
                    </Item>
                  ) : null}
                </>
              )}
            </Menu>
          ) : null}
        </div>
      )}
    </div>
  )
}
