/** Editing the cells of a list as in a spreadsheet: arrow keys, typing in place, copy, paste, fill down. */
import { type Entry, isLocale } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { CurrentUser } from '../../../api/session.ts'
import { gridStep } from '../../../lib/keys/grid-keys.ts'
import { loadFeatureMessages, t, useLocale, useT } from '../../../lib/i18n.ts'
import { issueMessage } from '../../../lib/issue-message.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { formRights } from '../../form/rights.ts'
import { dependentChanges } from '../../form/dependent-links.ts'
import type { RowToolsProps } from '../row-actions/row-tools-props.ts'
import { isSame as isSameValue } from '../../form/saving/merge.ts'
import { readBlock, writeBlock } from './block.ts'
import { CellDrafts } from './drafts.tsx'
import {
  type CellMove,
  type CellPlace,
  cellOf,
  gridOf,
  isSame,
  keyOf,
  placeOf,
  rangeOf,
  findCellAtOffset,
  findNextCell,
} from './grid.ts'
import { cellTextContext, findNamedRecords } from './names.ts'
import { fillDown, placeBlock } from './plan.ts'
import { type CellFault, checkCell, isCellField, namesIn, readCell, textOfCell } from './cell-text.ts'
import type { Draft } from './cell-draft.ts'
import { type ActivePlace, useActiveCell } from './use-active-cell.ts'
import { useCellSaving } from './use-cell-saving.ts'
import { lazyFeature, preload } from '../../../ui/lazy-part.ts'

const loadEditor = () => import('./editor.tsx')
const CellEditor = lazyFeature(async () => (await loadEditor()).CellEditor)

/** Number of rows that Page Up and Page Down move: to the first or the last row of the list. */
const pageRows = Number.POSITIVE_INFINITY

/**
 * Cell with an open input. Record and draft are those from when the input opened: the user has seen nothing
 * newer.
 */
interface OpenedCell {
  at: CellPlace
  entry: Entry
  draft: Draft | undefined
}

/** Initial value of a cell's input; undefined for a draft that does not know the value. */
const valueBefore = ({ at, entry, draft }: OpenedCell): unknown =>
  draft ? draft.seen?.at(-1)?.[at.name] : (entry[at.name] ?? null)

/** Returns whether an element of the list handles clicks itself. */
const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, label, select, textarea') !== null

/** Message about a wrong value of a cell. */
function faultMessage({ code, params }: CellFault): string {
  if (code === 'no-name') return t('bulk.cellNoName', params)
  if (code === 'many-names') return t('bulk.cellManyNames', params)
  return issueMessage(code, params)
}

export function Cells({ list, entries, root, me }: RowToolsProps & { me: CurrentUser }) {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const { resource } = list.screen
  const [activeCell, setActive] = useState<ActivePlace | null>(null)
  const [editedCell, setEditing] = useState<OpenedCell | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const cellSaving = useCellSaving(list.screen, list.query.language, me.id)
  const context = cellTextContext(locale)

  const findEntry = ({ id }: CellPlace) => entries.find((entry) => entry.id === id)
  const cellTextOf = (cellPlace: CellPlace) =>
    textOfCell(resource, cellPlace.name, findEntry(cellPlace)?.[cellPlace.name], context)
  const mayEdit = ({ id, name }: CellPlace) => {
    const entry = findEntry({ id, name })
    return (
      entry !== undefined && isCellField(resource.fields[name]) && formRights(resource, entry, me).mayWriteField(name)
    )
  }
  const readGrid = () => gridOf(root)
  const goTo = (cellPlace: CellPlace, rangeStart = cellPlace) => {
    preload(loadFeatureMessages)
    setActive({ at: cellPlace, from: rangeStart })
  }
  const openCell = (cellPlace: CellPlace) => {
    goTo(cellPlace)
    const entry = findEntry(cellPlace)
    if (entry && mayEdit(cellPlace))
      setEditing({ at: cellPlace, entry, draft: cellSaving.drafts.get(keyOf(cellPlace)) })
    else setAnnouncement(t('bulk.cellsReadOnly'))
  }

  useActiveCell({ root, activePlace: activeCell, isEditing: editedCell !== null, entries, onWalk: loadEditor })

  /** Saves checked values of cells: all together if none is wrong, else they stay as drafts. */
  const saveDrafts = (drafts: readonly Draft[]) => {
    const changedDrafts = cellSaving.compared(
      drafts.filter(
        ({ place: cellPlace, value, fault }) =>
          fault !== undefined || !isSameValue(value, findEntry(cellPlace)?.[cellPlace.name]),
      ),
    )
    if (changedDrafts.some(({ fault }) => fault !== undefined)) {
      cellSaving.keep(changedDrafts)
      setAnnouncement(t('bulk.cellsNotSaved', { count: changedDrafts.length }))
    } else void cellSaving.send(changedDrafts)
  }

  const startDraft = (draft: Draft) => cellSaving.begin(draft, findEntry(draft.place))

  const draftOf = (cellPlace: CellPlace, value: unknown, text?: string): Draft => {
    const shownText = text ?? textOfCell(resource, cellPlace.name, value, context)
    if (!mayEdit(cellPlace)) return { place: cellPlace, value, words: shownText, fault: t('bulk.cellsReadOnly') }
    const invalidIssue = checkCell(resource, cellPlace.name, value)
    return { place: cellPlace, value, words: shownText, fault: invalidIssue && faultMessage(invalidIssue.fault) }
  }

  const pasteText = useEffectEvent(async (text: string, { at, from }: ActivePlace) => {
    const { placedTexts, droppedCount } = placeBlock(readBlock(text), readGrid(), at, from)
    // A block copied from this list has text for read-only cells, whose unchanged text is no edit.
    const changedTexts = placedTexts.filter((placedText) => placedText.text.trim() !== cellTextOf(placedText.place))
    const names = namesIn(
      resource,
      changedTexts.map((placedText) => ({ name: placedText.place.name, text: placedText.text })),
    )
    await loadFeatureMessages()
    const foundEntries = await findNamedRecords(cache, names, list.query.language)
    const contextWithNames = cellTextContext(locale, foundEntries)
    const drafts = changedTexts.map((placedText): Draft => {
      const parsedValue = mayEdit(placedText.place)
        ? readCell(
            resource,
            placedText.place.name,
            placedText.text,
            contextWithNames,
            findEntry(placedText.place)?.[placedText.place.name],
          )
        : undefined
      if (!parsedValue)
        return {
          place: placedText.place,
          value: placedText.text,
          words: placedText.text,
          fault: t('bulk.cellsReadOnly'),
        }
      if ('value' in parsedValue) return { place: placedText.place, value: parsedValue.value, words: placedText.text }
      return {
        place: placedText.place,
        value: undefined,
        words: placedText.text,
        fault: faultMessage(parsedValue.fault),
      }
    })
    saveDrafts(drafts.map(startDraft))
    if (droppedCount > 0) showToast({ kind: 'error', title: t('bulk.cellsNoRoom', { count: droppedCount }) })
  })

  const copy = ({ at, from }: ActivePlace): string => {
    const range = rangeOf(readGrid(), at, from)
    setAnnouncement(t('bulk.cellsCopied', { count: range.flat().length }))
    return writeBlock(range.map((row) => row.map(cellTextOf)))
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof Element)) return
    const cellPlace = target.matches('td') ? placeOf(target) : undefined
    const link = target.matches('[data-name]') ? placeOf(target) : undefined
    if (link && (event.key === 'F2' || event.key === 'ArrowRight')) {
      event.preventDefault()
      if (event.key === 'F2') openCell(link)
      else goTo(findCellAtOffset(readGrid(), link, 0, 1))
      return
    }
    if (!cellPlace || !activeCell || event.altKey) return
    const isFill = (event.ctrlKey || event.metaKey) && event.code === 'KeyD'
    const step = gridStep(event.key, target, pageRows)
    if (isFill) {
      const filledCells = fillDown(readGrid(), activeCell.at, activeCell.from, entries)
      saveDrafts(filledCells.map(({ place: targetPlace, value }) => startDraft(draftOf(targetPlace, value ?? null))))
    } else if (event.ctrlKey || event.metaKey) return
    else if (step) {
      const nextPlace = findCellAtOffset(readGrid(), cellPlace, ...step)
      goTo(nextPlace, event.shiftKey ? activeCell.from : nextPlace)
    } else if (event.key === 'Enter' || event.key === 'F2') openCell(cellPlace)
    else if (event.key === 'Escape') {
      const isSingleCell = isSame(activeCell.at, activeCell.from)
      setActive(isSingleCell ? null : { at: cellPlace, from: cellPlace })
      if (isSingleCell) cellOf(root, cellPlace)?.closest('tr')?.querySelector<HTMLElement>('[data-name]')?.focus()
    } else return
    event.preventDefault()
    // The key Escape leaves the active cell, and does not clear the selection of rows.
    event.stopPropagation()
  })

  const handleClick = useEffectEvent((event: MouseEvent) => {
    if (isControl(event.target) || !(event.target instanceof Element)) return
    const cellPlace = placeOf(event.target)
    if (!cellPlace || (window.getSelection()?.isCollapsed === false && !event.shiftKey && event.type === 'click'))
      return
    if (event.type === 'dblclick') {
      window.getSelection()?.removeAllRanges()
      openCell(cellPlace)
    } else goTo(cellPlace, event.shiftKey ? activeCell?.from : cellPlace)
  })

  const handleLeave = useEffectEvent(({ relatedTarget }: FocusEvent) => {
    if (editedCell || !(relatedTarget instanceof Element) || placeOf(relatedTarget)) return
    setActive(null)
  })

  const handleClipboard = useEffectEvent((event: ClipboardEvent) => {
    const isCellFocused = activeCell && !editedCell && document.activeElement?.matches('td[data-cell]')
    if (!isCellFocused || !event.clipboardData) return
    event.preventDefault()
    if (event.type === 'copy') event.clipboardData.setData('text/plain', copy(activeCell))
    else void pasteText(event.clipboardData.getData('text/plain'), activeCell)
  })

  useEffect(() => {
    const end = new AbortController()
    const listenerOptions = { signal: end.signal }
    root.addEventListener('keydown', (event) => handleKey(event), listenerOptions)
    root.addEventListener('click', (event) => handleClick(event), listenerOptions)
    root.addEventListener('dblclick', (event) => handleClick(event), listenerOptions)
    root.addEventListener('focusout', (event) => handleLeave(event), listenerOptions)
    document.addEventListener('copy', (event) => handleClipboard(event), listenerOptions)
    document.addEventListener('paste', (event) => handleClipboard(event), listenerOptions)
    return () => end.abort()
  }, [root])

  const editedEntry = editedCell && findEntry(editedCell.at)
  /** Saves the input of a cell. Returns the message about a wrong value, so that the input stays open. */
  const commitCell = (entry: Entry, openedCell: OpenedCell, value: unknown, cellMove: CellMove): string | undefined => {
    const { at } = openedCell
    const formerValue = valueBefore(openedCell)
    const isUnchanged = formerValue !== undefined && isSameValue(value, formerValue)
    const newDraft = draftOf(at, value)
    if (!isUnchanged && newDraft.fault !== undefined) return newDraft.fault
    setEditing(null)
    const nextPlace =
      cellMove === 'stay'
        ? at
        : cellMove === 'down'
          ? findCellAtOffset(readGrid(), at, 1, 0)
          : findNextCell(readGrid(), at, cellMove === 'next' ? 1 : -1)
    goTo(nextPlace)
    if (isUnchanged) {
      if (openedCell.draft) cellSaving.drop([openedCell.draft])
      return undefined
    }
    const { writableResource } = formRights(resource, entry, me)
    const dependentValues = dependentChanges(writableResource, at.name, value, entry)
    const draft = cellSaving.begin({ ...newDraft, dependentValues: dependentValues }, openedCell.entry)
    // A corrected cell of a pending block is saved together with the others.
    const hasOtherDrafts = [...cellSaving.drafts.keys()].some((key) => key !== keyOf(at))
    if (cellSaving.drafts.has(keyOf(at)) && hasOtherDrafts) cellSaving.keep([draft])
    else {
      cellSaving.drop([draft])
      saveDrafts([draft])
    }
    return undefined
  }

  return (
    <>
      <output className="sr-only">{announcement}</output>
      <CellDrafts root={root} entries={entries} cellSaving={cellSaving} onMend={(cellPlace) => openCell(cellPlace)} />
      {editedCell && editedEntry ? (
        <Suspense fallback={null}>
          <CellEditor
            key={keyOf(editedCell.at)}
            root={root}
            at={editedCell.at}
            resource={resource}
            entry={editedEntry}
            value={editedCell.draft ? (editedCell.draft.value ?? editedCell.draft.words) : valueBefore(editedCell)}
            fault={editedCell.draft?.fault}
            lang={
              resource.fields[editedCell.at.name]?.localized && isLocale(editedEntry.locale)
                ? editedEntry.locale
                : undefined
            }
            language={list.query.language}
            onCommit={(value, cellMove) => commitCell(editedEntry, editedCell, value, cellMove)}
            onCancel={() => {
              setEditing(null)
              goTo(editedCell.at)
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}
