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
import { useLocale, useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { narrowQuery, phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { useCommands } from '../../../ui/commands.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { exportBody, fileOf, saveFile } from '../file.ts'
import { queryOfSearch } from '../filters/conditions.ts'
import { type Selection, useSelectionValue } from '../selection.ts'
import type { BulkBarProps } from '../row-actions/row-tools-props.ts'
import { type BulkKind, availableActions } from './actions.ts'
import type { ResourceList } from '../use-resource-list.ts'
import { BulkDialog } from './dialog.tsx'

const linkClass =
  'inline-flex min-h-8 items-center gap-1.5 rounded-1 px-2 text-start font-semibold hover:underline disabled:opacity-50 max-md:min-h-11 max-md:ps-0 max-md:pe-4'

/** Labels of the available bulk actions; undefined where one is not offered. */
const offeredActions = (isOffered: boolean | undefined, ...actions: [BulkKind, string][]) => (isOffered ? actions : [])

/** Records of a bulk action: the selected rows, or the filter of the list with its last known count. */
function targetOf(list: ResourceList, selection: Selection): BulkSelection {
  const { rows, all } = selection.now()
  if (all === undefined) return { ids: [...rows.keys()] }
  const { resource } = list.screen
  const query = {
    ...languageOf(resource, list.query.language),
    ...queryOfSearch(resource, list.query.search, list.query.rows),
  }
  return { query, count: all }
}

export function BulkBar(props: BulkBarProps) {
  const { list, entries, selection, total } = props
  const t = useT()
  const locale = useLocale()
  const isPhone = useMedia(phoneQuery)
  // Bulk actions are on one line: in a narrow window the transitions are in a menu.
  const isNarrow = useMedia(narrowQuery)
  const { data: me } = useQuery(meQuery)
  const [openAction, setOpenAction] = useState<BulkKind | null>(null)
  const written = useWrittenLocale()
  const [isExporting, setExporting] = useState(false)
  const count = useSelectionValue(selection, (selectionView) => selectionView.count())
  const isWhole = useSelectionValue(
    selection,
    ({ has, now }) => now().all === undefined && entries.every(({ id }) => has(id)),
  )
  const { resource } = list.screen
  const { rows, all } = selection.now()
  const barActions = me && availableActions(resource, me, all === undefined ? [...rows.values()] : entries)
  const target = targetOf(list, selection)
  const { Selected } = props.slots

  const exportRows = async (format: ExportFormat) => {
    setExporting(true)
    try {
      const data = exportBody(list, format, written, 'ids' in target ? target.ids : undefined)
      saveFile(await callFile('POST /api/export', { body: { data } }, fileOf))
    } catch (error) {
      showToast({ kind: 'error', title: t('bulk.notExported'), text: messageOfFailure(error) })
    }
    setExporting(false)
  }

  const stateActions = offeredActions(
    barActions?.hasActive,
    ['active', t('bulk.activate')],
    ['inactive', t('bulk.deactivate')],
  )
  const changeActions = [
    ...offeredActions(barActions && barActions.fields.length > 0, ['set', t('bulk.set')]),
    ...offeredActions(
      barActions && barActions.lists.length > 0,
      ['connect', t('bulk.connect')],
      ['disconnect', t('bulk.disconnect')],
    ),
    ...offeredActions(barActions && barActions.texts.length > 0, ['script', t('bulk.script')]),
  ]
  const removeActions = offeredActions(barActions?.mayRemove, ['remove', t('action.delete')])
  const selectedText = t('list.selected', { count })
  useCommands([
    ...[...stateActions, ...changeActions, ...removeActions].map(([kind, label]) => ({
      id: `bulk.${kind}`,
      title: `${label} · ${selectedText}`,
      run: () => setOpenAction(kind),
    })),
    { id: 'bulk.clear', title: t('action.deselectAll'), run: () => selection.clear() },
  ])
  if (!barActions) return null
  const clearButton = (
    <IconButton
      label={t('action.deselectAll')}
      icon={<X size={17} aria-hidden />}
      className="ms-auto"
      onClick={() => selection.clear()}
    />
  )
  return (
    <>
      <b className="me-2 text-ink">{selectedText}</b>
      {isPhone ? (
        <>
          {clearButton}
          <span className="basis-full" />
        </>
      ) : null}
      {isWhole && total > entries.length ? (
        <button type="button" className={cx(linkClass, 'underline')} onClick={() => selection.selectAllRows(total)}>
          {t('bulk.selectAll', { count: total })}
        </button>
      ) : null}
      {isNarrow
        ? null
        : stateActions.map(([kind, label]) => (
            <button key={kind} type="button" className={linkClass} onClick={() => setOpenAction(kind)}>
              {label}
            </button>
          ))}
      {Selected && all === undefined ? (
        <Selected entries={[...rows.values()]} className={linkClass} onDone={() => selection.clear()} />
      ) : null}
      {changeActions.length > 0 || (isNarrow && stateActions.length > 0) ? (
        <Menu
          align="start"
          trigger={
            <button type="button" className={linkClass}>
              {t('bulk.change')}
            </button>
          }
        >
          {({ Item }) => (
            <>
              {[...(isNarrow ? stateActions : []), ...changeActions].map(([kind, label]) => (
                <Item key={kind} onClick={() => setOpenAction(kind)}>
                  {label}
                </Item>
              ))}
            </>
          )}
        </Menu>
      ) : null}
      <Menu
        align="start"
        trigger={
          <button type="button" className={linkClass} aria-busy={isExporting || undefined} disabled={isExporting}>
            <Download size={15} aria-hidden />
            {t('action.export')}
          </button>
        }
      >
        {({ Item }) => (
          <>
            <Item onClick={() => void exportRows('xlsx')}>{t('bulk.exportXlsx')}</Item>
            <Item onClick={() => void exportRows('csv')}>{t('bulk.exportCsv')}</Item>
          </>
        )}
      </Menu>
      {removeActions.map(([kind, label]) => (
        <button
          key={kind}
          type="button"
          className={cx(linkClass, 'text-danger-text')}
          onClick={() => setOpenAction(kind)}
        >
          <Trash2 size={15} aria-hidden />
          {label}
        </button>
      ))}
      {isPhone ? null : clearButton}
      {'ids' in target && target.ids.length > maxBulkRecords ? (
        <p className="basis-full pb-1">{t('bulk.tooMany', { most: formatNumber(locale, maxBulkRecords) })}</p>
      ) : null}
      {openAction ? (
        <BulkDialog
          list={list}
          kind={openAction}
          availableActions={barActions}
          target={target}
          onClose={() => setOpenAction(null)}
          onDone={() => {
            setOpenAction(null)
            selection.clear()
          }}
        />
      ) : null}
    </>
  )
}
