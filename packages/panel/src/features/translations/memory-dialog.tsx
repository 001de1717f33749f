/** The translation memory as files: download as TMX, import of such files, and the list of imported ones. */
import { decideAccess, type ImportedMemory, type Locale, localeNames, locales, memoryAccess } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callFile, callRoute, type RouteAnswer } from '../../api/route.ts'
import { callServer } from '../../api/client.ts'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { fileOf, saveFile } from '../../resource/list/file.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FileButton, fileForm } from './file-button.tsx'

const importsKey = ['memory', 'imports']

export function MemoryDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const mayImport = me !== undefined && decideAccess(memoryAccess, 'create', callerRoleOf(me)) !== false
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('memory.tmx')}
      description={t('memory.tmxAbout')}
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <div className="grid gap-5">
        <DownloadPart />
        {mayImport ? <ImportPart /> : null}
        <ImportedPart mayRemove={mayImport} />
      </div>
    </Dialog>
  )
}

/** Chooses two languages and downloads their memory. */
function DownloadPart() {
  const t = useT()
  const obstacle = useObstacle()
  const [source, setSource] = useState<Locale>('ru')
  const [target, setTarget] = useState<Locale>('kaa')
  const download = useMutation({
    mutationFn: () => callFile('GET /api/memory/tmx', { query: { source, target } }, fileOf),
    meta: { inPlace: true },
    onSuccess: saveFile,
  })
  const choicesWithout = (other: Locale) =>
    locales.filter((locale) => locale !== other).map((locale) => ({ value: locale, label: localeNames[locale] }))
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t('memory.from')}>
          <Select value={source} onValueChange={setSource} choices={choicesWithout(target)} />
        </Field>
        <Field label={t('memory.to')}>
          <Select value={target} onValueChange={setTarget} choices={choicesWithout(source)} />
        </Field>
      </div>
      <div>
        <Button
          icon={<Download size={17} aria-hidden />}
          isBusy={download.isPending}
          disabled={obstacle}
          onClick={() => download.mutate()}
        >
          {t('action.download')}
        </Button>
      </div>
      <FailureLine>{download.error ? messageOfFailure(download.error) : undefined}</FailureLine>
    </div>
  )
}

/** Imports a TMX file and says what it brought. */
function ImportPart() {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const send = useMutation({
    mutationFn: (file: File) =>
      callServer<RouteAnswer<'POST /api/memory/imports'>>('POST', '/memory/imports', { body: fileForm(file) }),
    meta: { inPlace: true },
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: importsKey }),
        cache.invalidateQueries({ queryKey: ['resource', 'memory'] }),
      ]),
  })
  const leftOut = Object.values(send.data?.meta.skipped ?? {}).reduce((sum, count) => sum + count, 0)
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <div>
        <FileButton
          label={t('memory.import')}
          accept=".tmx,.xml"
          isBusy={send.isPending}
          disabled={obstacle}
          onFile={(file) => send.mutate(file)}
        />
      </div>
      <output className="text-sm empty:hidden">
        {send.data
          ? [
              t('memory.importedDone', { count: formatNumber(locale, send.data.data.segments) }),
              ...(leftOut > 0 ? [t('memory.leftOut', { count: formatNumber(locale, leftOut) })] : []),
            ].join('. ')
          : null}
      </output>
      <FailureLine>{send.error ? messageOfFailure(send.error) : undefined}</FailureLine>
    </div>
  )
}

function ImportedPart({ mayRemove }: { mayRemove: boolean }) {
  const t = useT()
  const query = useQuery({
    queryKey: importsKey,
    queryFn: async ({ signal }) => (await callRoute('GET /api/memory/imports', { signal })).data,
    meta: { inPlace: true },
  })
  return (
    <section aria-label={t('memory.imports')} className="grid gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{t('memory.imports')}</h3>
      <LoadedPart query={query}>
        {(imports) =>
          imports.length === 0 ? (
            <p className="text-sm text-muted">{t('memory.noImports')}</p>
          ) : (
            <ul className="grid gap-2">
              {imports.map((imported) => (
                <ImportedFile key={imported.id} imported={imported} mayRemove={mayRemove} />
              ))}
            </ul>
          )
        }
      </LoadedPart>
    </section>
  )
}

/** An imported file; its removal is asked about in its own line. */
function ImportedFile({ imported, mayRemove }: { imported: ImportedMemory; mayRemove: boolean }) {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => callRoute('DELETE /api/memory/imports/:id', { params: { id: imported.id } }),
    meta: { inPlace: true },
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: importsKey }),
        cache.invalidateQueries({ queryKey: ['resource', 'memory'] }),
      ]),
  })
  return (
    <li className="grid gap-1 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 font-medium wrap-anywhere">{imported.name}</span>
        <span className="text-muted">
          {t('memory.segments', { count: formatNumber(locale, imported.segments) })} · {formatDate(imported.at)}
        </span>
        {mayRemove && !isAsking ? (
          <LinkButton isDanger disabled={obstacle} onClick={() => setAsking(true)}>
            {t('action.remove')}
          </LinkButton>
        ) : null}
      </div>
      {isAsking ? (
        <fieldset aria-label={imported.name} className="grid gap-2 rounded-2 bg-sunken p-3">
          <p>{t('memory.removeAsk', { name: imported.name })}</p>
          <div className="flex gap-2">
            <Button onClick={() => setAsking(false)}>{t('action.cancel')}</Button>
            <Button kind="danger" isBusy={remove.isPending} disabled={obstacle} onClick={() => remove.mutate()}>
              {t('action.remove')}
            </Button>
          </div>
          <FailureLine>{remove.error ? messageOfFailure(remove.error) : undefined}</FailureLine>
        </fieldset>
      ) : null}
    </li>
  )
}
