/** The tools above the matrix: search by name, two roles to compare, and a filter for differences. */
import Search from 'lucide-react/icons/search'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useTypedSearch } from '../../lib/hooks/use-typed-search.ts'
import { FramedInput } from '../../ui/inputs/input.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'
import { type ColumnName, columnNames, isColumnName } from './matrix.ts'
import type { ShownAccess } from './use-shown.ts'
import { columnLabel } from './labels.ts'

const noColumn = 'none'

export function MatrixTools({ shown, compact }: { shown: ShownAccess; compact: boolean }) {
  const t = useT()
  const { firstColumn, secondColumn, compared, showsOnlyDifferences: onlyDifferences, role, change } = shown
  const [text, setText] = useTypedSearch(shown.search, (searchText) => change({ q: searchText || undefined }))
  const choice = (column: ColumnName) => ({ value: column, label: columnLabel(t, column) })
  const pickColumn = (key: 'a' | 'b', value: string) => {
    const column = isColumnName(value) ? value : undefined
    // A comparison of roles needs a second role.
    if (key === 'a')
      change({ a: column, b: column && column !== secondColumn ? secondColumn : undefined, all: undefined })
    else change({ b: column })
  }
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <FramedInput
        type="search"
        aria-label={t('permissions.search')}
        placeholder={t('permissions.search')}
        icon={<Search size={17} aria-hidden className="shrink-0" />}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="w-64 max-md:w-full"
      />
      {compact && !compared ? (
        <LabelledControl label={t('roles.one')}>
          <Select
            variant="filter"
            aria-label={t('roles.one')}
            value={role}
            onValueChange={(value) => change({ role: value })}
            choices={columnNames.map(choice)}
          />
        </LabelledControl>
      ) : null}
      <LabelledControl label={t('permissions.compare')}>
        <Select
          variant="filter"
          aria-label={t('permissions.compare')}
          value={firstColumn ?? noColumn}
          onValueChange={(value) => pickColumn('a', value)}
          choices={[{ value: noColumn, label: t('permissions.compareNone') }, ...columnNames.map(choice)]}
        />
      </LabelledControl>
      {firstColumn ? (
        <LabelledControl label={t('permissions.compareWith')}>
          <Select
            variant="filter"
            aria-label={t('permissions.compareWith')}
            value={secondColumn ?? null}
            placeholder="—"
            onValueChange={(value) => pickColumn('b', value)}
            choices={columnNames.filter((column) => column !== firstColumn).map(choice)}
          />
        </LabelledControl>
      ) : null}
      {compared ? (
        <LabelledControl label={t('permissions.onlyDifferences')}>
          <Switch
            aria-label={t('permissions.onlyDifferences')}
            checked={onlyDifferences}
            onCheckedChange={(isChecked) => change({ all: isChecked ? undefined : '1' })}
          />
        </LabelledControl>
      ) : null}
    </div>
  )
}

function LabelledControl({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="inline-flex min-h-(--control) items-center gap-2">
      <span aria-hidden className="text-sm text-muted">
        {label}
      </span>
      {children}
    </span>
  )
}
