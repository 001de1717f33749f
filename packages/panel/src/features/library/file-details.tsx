/**
 * The details of a file: name, folder and the records that use it, and of a picture its focal point and
 * texts.
 */
import type { Entry } from '@dala/model'
import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { fileAddress } from '../../api/client.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { dimensionsText, durationText, isPictureFile, sizeText, typeText } from '../../fields/picture/library/file.ts'
import { addressOf } from '../../fields/picture/picture-value.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Details } from '../../ui/layout/details.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { FileActions } from './file-actions.tsx'
import type { FileDraft } from './file-draft.ts'
import { FileUses } from './file-uses.tsx'
import { FocalPicture } from './focal-picture.tsx'
import { FolderField } from './folder-field.tsx'
import { LanguageTexts } from './language-texts.tsx'
import type { FileForm } from './use-file-form.ts'

interface FileDetailsProps {
  file: Entry
  draft: FileDraft
  form: FileForm
  /** Called when the file of the details was deleted. */
  onGone: () => void
}

export function FileDetails({ file, draft, form, onGone }: FileDetailsProps) {
  const t = useT()
  const locale = useLocale()
  return (
    <form
      noValidate
      className="grid min-w-0 gap-[18px]"
      onSubmit={(event) => {
        event.preventDefault()
        if (form.isDirty && !form.isSaving && !form.isUnready) form.save()
      }}
    >
      {isPictureFile(file) ? (
        <FocalPicture
          file={file}
          alt={draft.alt[locale] ?? t('a11y.imageAlt', { name: draft.name })}
          focal={draft.focal}
          onFocal={(focal) => form.set({ focal })}
        />
      ) : null}
      <Field label={t('field.name')}>
        <Input
          dir="auto"
          value={draft.name}
          maxLength={255}
          onChange={({ target }) => form.set({ name: target.value })}
        />
      </Field>
      {isPictureFile(file) ? (
        <>
          <LanguageTexts
            label={t('library.altText')}
            help={t('library.altHelp')}
            texts={draft.alt}
            onChange={(alt) => form.set({ alt })}
          />
          <LanguageTexts
            label={t('field.caption')}
            texts={draft.captions}
            onChange={(captions) => form.set({ captions })}
          />
        </>
      ) : null}
      <FolderField value={draft.folder} onChange={form.setFolder} />
      <SaveRow form={form} />
      <KnownFileDetails file={file} />
      <section className="grid gap-2">
        <h3 className="font-semibold">{t('library.uses')}</h3>
        <FileUses id={file.id} />
      </section>
      <FileActions file={file} onGone={onGone} />
    </form>
  )
}

/** The save bar of a file's details sticks to the lower edge while there are unsaved changes. */
function SaveRow({ form }: { form: FileForm }) {
  const t = useT()
  const obstacle = useObstacle()
  const { isDirty, isUnready } = form
  if (!isDirty && !isUnready && !form.failure) return null
  return (
    <div className="sticky -bottom-px z-1 -mx-1 grid gap-2.5 border-y border-line bg-surface px-1 py-3">
      <FailureLine>{form.failure ? messageOfFailure(form.failure) : undefined}</FailureLine>
      <div className="flex items-center justify-end gap-2">
        <output className="flex min-w-0 flex-1 items-center gap-2 text-sm leading-tight text-muted">
          <i aria-hidden className="size-2 shrink-0 rounded-full bg-warning" />
          {obstacle ?? t('form.unsaved')}
        </output>
        <Button kind="quiet" disabled={form.isSaving && t('form.isSaving')} onClick={form.discardDraft}>
          {t('form.discard')}
        </Button>
        <Button
          kind="primary"
          type="submit"
          isBusy={form.isSaving}
          disabled={obstacle ?? (isUnready ? t('library.folderNeeded') : !isDirty && t('form.nothingChanged'))}
          icon={<Check size={17} aria-hidden />}
        >
          {t('action.save')}
        </Button>
      </div>
    </div>
  )
}

function KnownFileDetails({ file }: { file: Entry }) {
  const t = useT()
  const locale = useLocale()
  const address = fileAddress(addressOf(file)) ?? ''
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(new URL(address, window.location.href).href)
      showToast({ kind: 'success', title: t('message.copied') })
    } catch {
      showToast({ kind: 'error', title: t('library.notCopied') })
    }
  }
  const createdAt = file['createdAt']
  return (
    <Details
      columns={1}
      details={[
        { label: t('library.dimensions'), value: dimensionsText(t, file) },
        { label: t('library.duration'), value: durationText(t, file) },
        { label: t('library.size'), value: sizeText(t, locale, file['size']) },
        { label: t('library.type'), value: typeText(file) },
        { label: t('library.uploadedAt'), value: formatDateTime(typeof createdAt === 'string' ? createdAt : null) },
        {
          label: t('library.address'),
          isWide: true,
          value:
            file['private'] === true ? (
              t('library.private')
            ) : (
              <span className="flex items-center gap-1">
                <bdi dir="ltr" className="min-w-0 flex-1 text-sm break-all">
                  {address}
                </bdi>
                <IconButton
                  label={t('library.copyAddress')}
                  icon={<Copy size={16} aria-hidden />}
                  onClick={() => void copy()}
                />
              </span>
            ),
        },
      ]}
    />
  )
}
