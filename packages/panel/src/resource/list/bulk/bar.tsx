/** The bar of selected rows: their number, the actions on them, and a button that clears the selection. */
import { type BulkSelection, type ExportFormat, maxBulkRecords } from '@dala/model'
import Download from 'lucide-react/icons/download'
import Trash2 from 'lucide-react/icons/trash-2'
import X from 'lucide-react/icons/x'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callFile } from '../../../api/route.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { languageOf } from '../../../api/resource-queries.ts'
import { meQuery } from '../../../api/session.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { narrow, phone, useMedia } from '../../../lib/hooks/use-media.ts'
import { useCommands } from '../../../ui/commands.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { exportBody, fileOf, saveFile } from '../file.ts'
import { narrowedBy } from '../filters/conditions.ts'
import { type Selection, useSelected } from '../selection.ts'
import type { BulkBarProps } from '../row-work/list-work-props.ts'
import { type BulkKind, bulkOffers } from './actions.ts'
import type { ResourceList } from '../use-resource-list.ts'
import { BulkDialog } from './dialog.tsx'

const link =
  'inline-flex min-h-8 items-center gap-1.5 rounded-1 px-2 text-start font-semibold hover:underline disabled:opacity-50 max-md:min-h-11 max-md:ps-0 max-md:pe-4'

/** The available actions with their labels; undefined where one is not offered. */
const offered = (is: boolean | undefined, ...actions: [BulkKind, string][]) => (is ? actions : [])

/** The records of a bulk action: the selected rows, or the filter of the list with its last known count. */
function targetOf(list: ResourceList, selection: Selection): BulkSelection {
  const { rows, all } = selection.now()
  if (all === undefined) return { ids: [...rows.keys()] }
  const { resource } = list.screen
  const query = {
    ...languageOf(resource, list.query.language),
    ...narrowedBy(resource, list.query.search, list.query.rows),
  }
  return { query, count: all }
}

export function BulkBar(props: BulkBarProps) {
  const { list, entries, selection, total } = props
  const t = useT()
  const locale = useLocale()
  const isPhone = useMedia(phone)
  // Its actions are on one line: in a narrow window the states are in the menu.
  const isNarrow = useMedia(narrow)
  const { data: me } = useQuery(meQuery)
  const [asked, setAsked] = useState<BulkKind | null>(null)
  const [isExporting, setExporting] = useState(false)
  const count = useSelected(selection, (one) => one.count())
  const isWhole = useSelected(
    selection,
    ({ has, now }) => now().all === undefined && entries.every(({ id }) => has(id)),
  )
  const { resource } = list.screen
  const { rows, all } = selection.now()
  const offers = me && bulkOffers(resource, me, all === undefined ? [...rows.values()] : entries)
  const target = targetOf(list, selection)
  const { Selected } = props.parts

  const takeHome = async (format: ExportFormat) => {
    setExporting(true)
    try {
      const data = exportBody(list, format, locale, 'ids' in target ? target.ids : undefined)
      saveFile(await callFile('POST /api/export', { body: { data } }, fileOf))
    } catch (error) {
      showToast({ kind: 'error', title: t('bulk.notExported'), text: messageOfFailure(error) })
    }
    setExporting(false)
  }

  const states = offered(offers?.hasActive, ['active', t('bulk.activate')], ['inactive', t('bulk.deactivate')])
  const changes = [
    ...offered(offers && offers.fields.length > 0, ['set', t('bulk.set')]),
    ...offered(offers && offers.lists.length > 0, ['connect', t('bulk.connect')], ['disconnect', t('bulk.disconnect')]),
  ]
  const removal = offered(offers?.mayRemove, ['remove', t('action.delete')])
  const selected = t('list.selected', { count })
  useCommands([
    ...[...states, ...changes, ...removal].map(([kind, words]) => ({
      id: `bulk.${kind}`,
      title: `${words} · ${selected}`,
      run: () => setAsked(kind),
    })),
    { id: 'bulk.clear', title: t('action.deselectAll'), run: () => selection.clear() },
  ])
  if (!offers) return null
  const wayOut = (
    <IconButton
      label={t('action.deselectAll')}
      icon={<X size={17} aria-hidden />}
      className="ms-auto"
      onClick={() => selection.clear()}
    />
  )
  return (
    <>
      <b className="me-2 text-ink">{selected}</b>
      {isPhone ? (
        <>
          {wayOut}
          <span className="basis-full" />
        </>
      ) : null}
      {isWhole && total > entries.length ? (
        <button type="button" className={cx(link, 'underline')} onClick={() => selection.takeAll(total)}>
          {t('bulk.selectAll', { count: total })}
        </button>
      ) : null}
      {isNarrow
        ? null
        : states.map(([kind, words]) => (
            <button key={kind} type="button" className={link} onClick={() => setAsked(kind)}>
              {words}
            </button>
          ))}
      {Selected && all === undefined ? (
        <Selected entries={[...rows.values()]} className={link} onDone={() => selection.clear()} />
      ) : null}
      {changes.length > 0 || (isNarrow && states.length > 0) ? (
        <Menu
          align="start"
          trigger={
            <button type="button" className={link}>
              {t('bulk.change')}
            </button>
          }
        >
          {({ Item }) => (
            <>
              {[...(isNarrow ? states : []), ...changes].map(([kind, words]) => (
                <Item key={kind} onClick={() => setAsked(kind)}>
                  {words}
                </Item>
              ))}
            </>
          )}
        </Menu>
      ) : null}
      <Menu
        align="start"
        trigger={
          <button type="button" className={link} aria-busy={isExporting || undefined} disabled={isExporting}>
            <Download size={15} aria-hidden />
            {t('action.export')}
          </button>
        }
      >
        {({ Item }) => (
          <>
            <Item onClick={() => void takeHome('xlsx')}>{t('bulk.exportXlsx')}</Item>
            <Item onClick={() => void takeHome('csv')}>{t('bulk.exportCsv')}</Item>
          </>
        )}
      </Menu>
      {removal.map(([kind, words]) => (
        <button key={kind} type="button" className={cx(link, 'text-danger-text')} onClick={() => setAsked(kind)}>
          <Trash2 size={15} aria-hidden />
          {words}
        </button>
      ))}
      {isPhone ? null : wayOut}
      {'ids' in target && target.ids.length > maxBulkRecords ? (
        <p className="basis-full pb-1">{t('bulk.tooMany', { most: formatNumber(locale, maxBulkRecords) })}</p>
      ) : null}
      {asked ? (
        <BulkDialog
          list={list}
          kind={asked}
          offers={offers}
          target={target}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null)
            selection.clear()
          }}
        />
      ) : null}
    </>
  )
}
