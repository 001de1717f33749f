/** Editing the cells of a list as in a spreadsheet: arrow keys, typing in place, copy, paste, fill down. */
import { type Entry, isLocale } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { CurrentUser } from '../../../api/session.ts'
import { gridStep } from '../../../lib/keys/grid-keys.ts'
import { loadFeatureWords, t, useLocale, useT } from '../../../lib/i18n.ts'
import { issueMessage } from '../../../lib/issue-message.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { formRights } from '../../form/rights.ts'
import { dependentChanges } from '../../form/dependent-links.ts'
import type { RowWorkProps } from '../row-work/list-work-props.ts'
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
  stepFrom,
  tabFrom,
} from './grid.ts'
import { cellWords, findNamed } from './names.ts'
import { fillDown, placeBlock } from './plan.ts'
import { type CellFault, checkCell, isCellField, namesIn, readCell, textOfCell } from './cell-text.ts'
import type { Draft } from './cell-draft.ts'
import { type Active, useActiveCell } from './use-active-cell.ts'
import { useCellSaving } from './use-cell-saving.ts'
import { lazyFeature, preload } from '../../../ui/lazy-part.ts'

const loadEditor = () => import('./editor.tsx')
const CellEditor = lazyFeature(async () => (await loadEditor()).CellEditor)

/** Page Up and Page Down go to the first and the last row. */
const pageRows = Number.POSITIVE_INFINITY

/**
 * A cell with an open input. Record and draft are those from when it opened: the user has seen nothing newer.
 */
interface Opened {
  at: CellPlace
  entry: Entry
  draft: Draft | undefined
}

/** The initial value of the input; undefined for a draft that does not know it. */
const valueBefore = ({ at, entry, draft }: Opened): unknown =>
  draft ? draft.seen?.at(-1)?.[at.name] : (entry[at.name] ?? null)

/** Elements that handle clicks themselves. */
const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, label, select, textarea') !== null

/** The message about a wrong value. */
function wordsOfFault({ code, params }: CellFault): string {
  if (code === 'no-name') return t('bulk.cellNoName', params)
  if (code === 'many-names') return t('bulk.cellManyNames', params)
  return issueMessage(code, params)
}

export function Cells({ list, entries, root, me }: RowWorkProps & { me: CurrentUser }) {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const { resource } = list.screen
  const [active, setActive] = useState<Active | null>(null)
  const [editing, setEditing] = useState<Opened | null>(null)
  const [said, setSaid] = useState('')
  const saving = useCellSaving(list.screen, list.query.language, me.id)
  const words = cellWords(locale)

  const entryAt = ({ id }: CellPlace) => entries.find((entry) => entry.id === id)
  const wordsAt = (at: CellPlace) => textOfCell(resource, at.name, entryAt(at)?.[at.name], words)
  const mayEdit = ({ id, name }: CellPlace) => {
    const entry = entryAt({ id, name })
    return entry !== undefined && isCellField(resource.fields[name]) && formRights(resource, entry, me).writes(name)
  }
  const grid = () => gridOf(root)
  const go = (at: CellPlace, from = at) => {
    preload(loadFeatureWords)
    setActive({ at, from })
  }
  const open = (at: CellPlace) => {
    go(at)
    const entry = entryAt(at)
    if (entry && mayEdit(at)) setEditing({ at, entry, draft: saving.drafts.get(keyOf(at)) })
    else setSaid(t('bulk.cellsReadOnly'))
  }

  useActiveCell({ root, active, isEditing: editing !== null, entries, onWalk: loadEditor })

  /** Saves checked values: all together if none is wrong, else they stay as drafts. */
  const write = (drafts: readonly Draft[]) => {
    const changed = saving.compared(
      drafts.filter(
        ({ place: at, value, fault }) => fault !== undefined || !isSameValue(value, entryAt(at)?.[at.name]),
      ),
    )
    if (changed.some(({ fault }) => fault !== undefined)) {
      saving.keep(changed)
      setSaid(t('bulk.cellsNotSaved', { count: changed.length }))
    } else void saving.send(changed)
  }

  const begun = (draft: Draft) => saving.begin(draft, entryAt(draft.place))

  const draftOf = (at: CellPlace, value: unknown, text?: string): Draft => {
    const shown = text ?? textOfCell(resource, at.name, value, words)
    if (!mayEdit(at)) return { place: at, value, words: shown, fault: t('bulk.cellsReadOnly') }
    const wrong = checkCell(resource, at.name, value)
    return { place: at, value, words: shown, fault: wrong && wordsOfFault(wrong.fault) }
  }

  const paste = useEffectEvent(async (text: string, { at, from }: Active) => {
    const { placed, left } = placeBlock(readBlock(text), grid(), at, from)
    // A block copied from this list has text for read-only cells; unchanged text there is no edit.
    const wanted = placed.filter((one) => one.text.trim() !== wordsAt(one.place))
    const names = namesIn(
      resource,
      wanted.map((one) => ({ name: one.place.name, text: one.text })),
    )
    await loadFeatureWords()
    const found = await findNamed(cache, names, list.query.language)
    const known = cellWords(locale, found)
    const drafts = wanted.map((one): Draft => {
      const read = mayEdit(one.place)
        ? readCell(resource, one.place.name, one.text, known, entryAt(one.place)?.[one.place.name])
        : undefined
      if (!read) return { place: one.place, value: one.text, words: one.text, fault: t('bulk.cellsReadOnly') }
      if ('value' in read) return { place: one.place, value: read.value, words: one.text }
      return { place: one.place, value: undefined, words: one.text, fault: wordsOfFault(read.fault) }
    })
    write(drafts.map(begun))
    if (left > 0) showToast({ kind: 'error', title: t('bulk.cellsNoRoom', { count: left }) })
  })

  const copy = ({ at, from }: Active): string => {
    const range = rangeOf(grid(), at, from)
    setSaid(t('bulk.cellsCopied', { count: range.flat().length }))
    return writeBlock(range.map((row) => row.map(wordsAt)))
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof Element)) return
    const at = target.matches('td') ? placeOf(target) : undefined
    const link = target.matches('[data-name]') ? placeOf(target) : undefined
    if (link && (event.key === 'F2' || event.key === 'ArrowRight')) {
      event.preventDefault()
      if (event.key === 'F2') open(link)
      else go(stepFrom(grid(), link, 0, 1))
      return
    }
    if (!at || !active || event.altKey) return
    const isFill = (event.ctrlKey || event.metaKey) && event.code === 'KeyD'
    const step = gridStep(event.key, target, pageRows)
    if (isFill) {
      const filled = fillDown(grid(), active.at, active.from, entries)
      write(filled.map(({ place: to, value }) => begun(draftOf(to, value ?? null))))
    } else if (event.ctrlKey || event.metaKey) return
    else if (step) {
      const next = stepFrom(grid(), at, ...step)
      go(next, event.shiftKey ? active.from : next)
    } else if (event.key === 'Enter' || event.key === 'F2') open(at)
    else if (event.key === 'Escape') {
      const isOne = isSame(active.at, active.from)
      setActive(isOne ? null : { at, from: at })
      if (isOne) cellOf(root, at)?.closest('tr')?.querySelector<HTMLElement>('[data-name]')?.focus()
    } else return
    event.preventDefault()
    // Escape here leaves the cell, and does not clear the selection.
    event.stopPropagation()
  })

  const handleClick = useEffectEvent((event: MouseEvent) => {
    if (isControl(event.target) || !(event.target instanceof Element)) return
    const at = placeOf(event.target)
    if (!at || (window.getSelection()?.isCollapsed === false && !event.shiftKey && event.type === 'click')) return
    if (event.type === 'dblclick') {
      window.getSelection()?.removeAllRanges()
      open(at)
    } else go(at, event.shiftKey ? active?.from : at)
  })

  const handleLeave = useEffectEvent(({ relatedTarget }: FocusEvent) => {
    if (editing || !(relatedTarget instanceof Element) || placeOf(relatedTarget)) return
    setActive(null)
  })

  const handleClipboard = useEffectEvent((event: ClipboardEvent) => {
    const isHere = active && !editing && document.activeElement?.matches('td[data-cell]')
    if (!isHere || !event.clipboardData) return
    event.preventDefault()
    if (event.type === 'copy') event.clipboardData.setData('text/plain', copy(active))
    else void paste(event.clipboardData.getData('text/plain'), active)
  })

  useEffect(() => {
    const end = new AbortController()
    const until = { signal: end.signal }
    root.addEventListener('keydown', (event) => handleKey(event), until)
    root.addEventListener('click', (event) => handleClick(event), until)
    root.addEventListener('dblclick', (event) => handleClick(event), until)
    root.addEventListener('focusout', (event) => handleLeave(event), until)
    document.addEventListener('copy', (event) => handleClipboard(event), until)
    document.addEventListener('paste', (event) => handleClipboard(event), until)
    return () => end.abort()
  }, [root])

  const edited = editing && entryAt(editing.at)
  /** Saves an input. Returns the message about a wrong value, so that the input stays open. */
  const commit = (entry: Entry, opened: Opened, value: unknown, by: CellMove): string | undefined => {
    const { at } = opened
    const before = valueBefore(opened)
    const isUnchanged = before !== undefined && isSameValue(value, before)
    const made = draftOf(at, value)
    if (!isUnchanged && made.fault !== undefined) return made.fault
    setEditing(null)
    const next =
      by === 'stay' ? at : by === 'down' ? stepFrom(grid(), at, 1, 0) : tabFrom(grid(), at, by === 'next' ? 1 : -1)
    go(next)
    if (isUnchanged) {
      if (opened.draft) saving.drop([opened.draft])
      return undefined
    }
    const { written } = formRights(resource, entry, me)
    const follows = dependentChanges(written, at.name, value, entry)
    const draft = saving.begin({ ...made, follows }, opened.entry)
    // A corrected cell of a pending block is saved with the others.
    const others = [...saving.drafts.keys()].some((key) => key !== keyOf(at))
    if (saving.drafts.has(keyOf(at)) && others) saving.keep([draft])
    else {
      saving.drop([draft])
      write([draft])
    }
    return undefined
  }

  return (
    <>
      <output className="sr-only">{said}</output>
      <CellDrafts root={root} entries={entries} saving={saving} onMend={(at) => open(at)} />
      {editing && edited ? (
        <Suspense fallback={null}>
          <CellEditor
            key={keyOf(editing.at)}
            root={root}
            at={editing.at}
            resource={resource}
            entry={edited}
            value={editing.draft ? (editing.draft.value ?? editing.draft.words) : valueBefore(editing)}
            fault={editing.draft?.fault}
            lang={resource.fields[editing.at.name]?.localized && isLocale(edited.locale) ? edited.locale : undefined}
            language={list.query.language}
            onCommit={(value, by) => commit(edited, editing, value, by)}
            onCancel={() => {
              setEditing(null)
              go(editing.at)
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}
