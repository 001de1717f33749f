/**
 * Names of the file without a record: the number of rows, possible records, and whether the decision is
 * remembered.
 */
import type { ImportLink, ImportName } from '@dala/model'
import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { useEffect, useId, useRef, useState } from 'react'
import { useOfferedRecords } from '../../../fields/relation/use-offers.ts'
import { findResource } from '../../../fields/relation/targets.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { SearchSelect } from '../../../ui/inputs/search-select.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { Switch } from '../../../ui/inputs/switch.tsx'
import { MarkedText } from '../marked-text.tsx'
import { SuggestionButton } from '../suggestion-button.tsx'
import type { ColumnDecisions } from './use-decisions.ts'
import { fieldsOfKind, fieldLabel } from '../labels.ts'

const maxListedNames = 20

/**
 * Moves the focus on when a focused control disappears with its decision.
 *
 * @returns A ref for the list, and a function to call with each decision: the index of its name among the
 * open ones.
 */
function useFocusOnNext() {
  const list = useRef<HTMLUListElement>(null)
  const decidedRow = useRef<{ row: Element | null; at: number }>(undefined)
  const openRows = () => [...(list.current?.querySelectorAll('[data-open-name]') ?? [])]
  useEffect(() => {
    const { current: lastDecision } = decidedRow
    decidedRow.current = undefined
    if (!lastDecision || document.activeElement !== document.body) return
    const rowsLeft = openRows()
    // After an undone decision the focus stays with its unknown name.
    const nextRow = rowsLeft.find((row) => row === lastDecision.row) ?? rowsLeft[lastDecision.at] ?? rowsLeft.at(-1)
    const nextControls = [...((nextRow ?? document.querySelector('[data-save-bar]'))?.querySelectorAll('button') ?? [])]
    // The first button of an unknown name accepts its suggestion; the last button of the save bar opens the
    // next step.
    nextControls.at(nextRow ? 0 : -1)?.focus()
  })
  return {
    list,
    expectNextRow: (row: Element | null) => {
      decidedRow.current = {
        row,
        at: Math.max(
          0,
          openRows().findIndex((openRow) => openRow === row),
        ),
      }
    },
  }
}

interface UnknownNamesProps {
  kind: string
  decisions: ColumnDecisions
  /** The count of unknown names covers the whole file, of which not all names are listed. */
  total: number
}

export function UnknownNames({ kind, decisions, total }: UnknownNamesProps) {
  const t = useT()
  const locale = useLocale()
  const rememberFieldId = useId()
  const aliases = useId()
  const [isWhole, setWhole] = useState(false)
  const { names, skippedNames } = decisions
  const { list, expectNextRow: expectNext } = useFocusOnNext()
  const isOpen = (name: ImportName) => name.target === null && !skippedNames.has(name)
  // Unknown names without a decision are listed first.
  const sortedNames = names.toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)))
  const shownNames = isWhole ? names : sortedNames.slice(0, maxListedNames)
  const hasProducts = names.some(({ key }) => fieldsOfKind(kind).get(key)?.target === 'products')
  return (
    <Sheet className="px-[18px] py-4" aria-label={t('import.unknownNames')}>
      <h2 className="text-lg font-semibold">
        {t('import.unknownNames')} <span className="font-light text-muted">{formatNumber(locale, total)}</span>
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t(names.length === 0 ? 'import.noUnknown' : 'import.unknownHelp')}</p>
      {names.length > 0 ? (
        <>
          <ul ref={list} className="mt-3">
            {shownNames.map((name) => (
              <NameRow
                key={`${name.key} ${name.name}`}
                kind={kind}
                name={name}
                isLeftOut={skippedNames.has(name)}
                onDecide={(target, row) => {
                  expectNext(row)
                  if (target === 'left') return skippedNames.skipNames([name])
                  if (target === null && skippedNames.has(name)) return skippedNames.unskipNames([name])
                  return decisions.sendDecision({ names: [{ key: name.key, name: name.name, target }] })
                }}
              />
            ))}
          </ul>
          {!isWhole && names.length > maxListedNames ? (
            <LinkButton className="mt-2 text-sm" onClick={() => setWhole(true)}>
              {t('import.moreNames', { count: names.length - maxListedNames })}
            </LinkButton>
          ) : null}
          {total > names.length ? (
            <p className="mt-2 text-sm text-muted">{t('import.namesUnlisted', { count: total - names.length })}</p>
          ) : null}
          {decisions.open.names > 0 ? (
            <p className="mt-2 mb-3">
              <LinkButton
                className="text-sm"
                onClick={() => {
                  expectNext(null)
                  skippedNames.skipNames(names.filter(isOpen), true)
                }}
              >
                {t('import.leaveNames', { count: decisions.open.names })}
              </LinkButton>
            </p>
          ) : null}
        </>
      ) : null}
      <div className="mt-1 flex items-center justify-between gap-4 border-t border-line pt-3.5 text-sm">
        <span id={rememberFieldId}>{t('import.remember')}</span>
        <Switch
          aria-labelledby={rememberFieldId}
          checked={decisions.remember}
          onCheckedChange={(value) => decisions.sendDecision({ mapping: { remember: value } })}
        />
      </div>
      {hasProducts ? (
        <div className="mt-3 flex items-center justify-between gap-4 text-sm">
          <span id={aliases}>{t('import.aliases')}</span>
          <Switch
            aria-labelledby={aliases}
            checked={decisions.aliases}
            onCheckedChange={(value) => decisions.sendDecision({ mapping: { aliases: value } })}
          />
        </div>
      ) : null}
    </Sheet>
  )
}

interface NameRowProps {
  kind: string
  name: ImportName
  /** Whether the unknown name is left out: its rows stay in the file. */
  isLeftOut: boolean
  /** Record that the unknown name means, or `left` to leave it out; null undoes the decision. */
  onDecide: (target: ImportLink | 'left' | null, row: Element | null) => void
}

function NameRow({ kind, name: importName, isLeftOut: isLeft, onDecide }: NameRowProps) {
  const { key, name, rows, target, candidates } = importName
  const t = useT()
  const field = fieldsOfKind(kind).get(key)
  const [onlyCandidate] = candidates
  const row = useRef<HTMLLIElement>(null)
  const decideName = (chosenTarget: ImportLink | 'left' | null) => onDecide(chosenTarget, row.current)
  return (
    <li
      ref={row}
      data-open-name={target || isLeft ? undefined : ''}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-1.5 border-t border-line py-2.5"
    >
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          {target ? name : <MarkedText text={name} issue={{ value: name, wrong_letters: importName.wrong_letters }} />}
        </p>
        <p className="text-xs text-muted">
          {field ? `${fieldLabel(kind, field)}, ` : ''}
          {t('import.rows', { count: rows })}
        </p>
      </div>
      <div className="flex max-w-[190px] flex-wrap md:max-lg:max-w-[230px] items-center justify-end gap-2">
        {target || isLeft ? (
          <>
            {target ? (
              <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-success-text">
                <Check size={15} strokeWidth={2.5} aria-hidden className="shrink-0" />
                {target.name}
              </span>
            ) : (
              <span className="inline-flex items-center gap-1.5 text-sm text-muted">
                <Minus size={15} aria-hidden className="shrink-0" />
                {t('import.notLoaded')}
              </span>
            )}
            <LinkButton
              className="text-sm"
              aria-label={t('import.otherFor', { name })}
              onClick={() => decideName(null)}
            >
              {t('import.other')}
            </LinkButton>
          </>
        ) : (
          <>
            {onlyCandidate && candidates.length === 1 ? (
              <SuggestionButton
                aria-label={t('import.acceptFor', { field: onlyCandidate.name, name })}
                onClick={() => decideName(onlyCandidate)}
              >
                {onlyCandidate.name}
              </SuggestionButton>
            ) : null}
            {field?.target === undefined ? null : (
              <TargetChoice resourceName={field.target} name={name} candidates={candidates} onChoose={decideName} />
            )}
          </>
        )}
      </div>
    </li>
  )
}

interface TargetChoiceProps {
  resourceName: string
  name: string
  candidates: readonly ImportLink[]
  onChoose: (target: ImportLink | 'left') => void
}

/** Choice of any record that an unknown name may mean; similar records come first. */
function TargetChoice({ resourceName, ...otherProps }: TargetChoiceProps) {
  const target = findResource(resourceName)
  return target ? <Choice target={target} {...otherProps} /> : null
}

function Choice({
  target,
  name,
  candidates,
  onChoose,
}: Omit<TargetChoiceProps, 'resourceName'> & { target: NonNullable<ReturnType<typeof findResource>> }) {
  const t = useT()
  const { options, loading, onSearch, text } = useOfferedRecords(target)
  const candidateOptions = candidates.map(({ id, name: label }) => ({ value: id, label }))
  const ids = new Set(candidateOptions.map(({ value }) => value))
  const hasSeveral = candidates.length > 1
  return (
    <SearchSelect
      aria-label={t('import.meaningOf', { name })}
      text={
        hasSeveral
          ? `${candidates.map((candidate) => candidate.name).join(' / ')}?`
          : candidates.length === 1
            ? '…'
            : t('import.choose')
      }
      value={null}
      emptyOption={{ value: '', label: t('import.notLoaded') }}
      options={text === '' ? [...candidateOptions, ...options.filter(({ value }) => !ids.has(Number(value)))] : options}
      loading={loading}
      onSearch={onSearch}
      onValueChange={({ value, label }) => onChoose(value === '' ? 'left' : { id: Number(value), name: label })}
      className="min-h-8! max-w-full border-dashed! border-warning-text! px-[11px]! text-sm! text-muted! max-md:min-h-11!"
    />
  )
}
