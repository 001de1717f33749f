/**
 * The permission matrix, computed from the declarations: rows by section, one row for operations with the
 * same rules.
 */
import {
  type CallerRole,
  decideAccess,
  type AccessDecision,
  searchKeyOf,
  type OperationName,
  type Resource,
  type RoleType,
  type SectionName,
  sectionNames,
} from '@dala/model'

/**
 * The columns of the permission matrix: roles from the lowest, with the consultant after the registered
 * users.
 */
export const columnNames = ['public', 'authenticated', 'consultant', 'admin', 'super-admin', 'owner'] as const
export type ColumnName = (typeof columnNames)[number]

export const isColumnName = (value: unknown): value is ColumnName => columnNames.some((name) => name === value)

function callerOfColumn(column: ColumnName): CallerRole {
  const role: RoleType = column === 'consultant' ? 'authenticated' : column
  return { role, isConsultant: column === 'consultant' }
}

/** Rules of the matrix: listing and reading a record share one. */
const ruleNames = ['read', 'create', 'update', 'remove'] as const
type RuleName = (typeof ruleNames)[number]

const operationOf = (rule: RuleName): OperationName => (rule === 'read' ? 'get' : rule)

/** Operations of a resource that have the same rules for every role. */
export interface Line {
  rules: readonly RuleName[]
  cells: Readonly<Record<ColumnName, AccessDecision>>
}

export interface Row {
  resource: Resource
  lines: readonly Line[]
}

export interface Group {
  /** Screen of the resource; undefined for resources without a page. */
  section: SectionName | undefined
  rows: readonly Row[]
}

/**
 * Decision of a rule for a role: records of fixed resources and single types are neither created nor deleted.
 */
function decisionForColumn(resource: Resource, rule: RuleName, column: ColumnName): AccessDecision {
  if ((resource.fixedRows || resource.single) && (rule === 'create' || rule === 'remove')) return false
  return decideAccess(resource.access, operationOf(rule), callerOfColumn(column))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export function linesOf(resource: Resource): Line[] {
  const lines: Line[] = []
  for (const rule of ruleNames) {
    const findDecision = (column: ColumnName) => decisionForColumn(resource, rule, column)
    const cells = {
      public: findDecision('public'),
      authenticated: findDecision('authenticated'),
      consultant: findDecision('consultant'),
      admin: findDecision('admin'),
      'super-admin': findDecision('super-admin'),
      owner: findDecision('owner'),
    }
    // Reading has a separate line in the matrix: users look for it first.
    const sameIndex = lines.findIndex((line) => !line.rules.includes('read') && isSame(line.cells, cells))
    const sameLine = lines[sameIndex]
    if (sameLine) lines[sameIndex] = { ...sameLine, rules: [...sameLine.rules, rule] }
    else lines.push({ rules: [rule], cells })
  }
  return lines
}

/**
 * Section of a resource in the matrix: that of the screen with all its rows, otherwise of its first screen.
 */
function sectionOf({ screens = [] }: Resource): SectionName | undefined {
  return (screens.find(({ fixedValues }) => fixedValues === undefined) ?? screens[0])?.section
}

export function groupsOf(registry: Readonly<Record<string, Resource>>): Group[] {
  const rows = Object.values(registry).map((resource) => ({ resource, lines: linesOf(resource) }))
  return [...sectionNames, undefined]
    .map((section) => ({ section, rows: rows.filter(({ resource }) => sectionOf(resource) === section) }))
    .filter((group) => group.rows.length > 0)
}

/** Difference of two roles in the matrix: only one may, one may more, or their bounds differ. */
export type AccessDifference = { kind: 'same' } | { kind: 'only' | 'wider'; column: ColumnName } | { kind: 'other' }

export function differenceOf({ cells }: Line, firstColumn: ColumnName, secondColumn: ColumnName): AccessDifference {
  const [a, b] = [cells[firstColumn], cells[secondColumn]]
  if (isSame(a, b)) return { kind: 'same' }
  if (a === false || b === false) return { kind: 'only', column: a === false ? secondColumn : firstColumn }
  if (a === true || b === true) return { kind: 'wider', column: a === true ? firstColumn : secondColumn }
  return { kind: 'other' }
}

export interface MatrixFilter {
  /** Part of a resource's name typed in the search, in any spelling. */
  search: string
  compared: readonly [ColumnName, ColumnName] | undefined
  showsOnlyDifferences: boolean
}

/** Filters the rows of the matrix; `nameOf` returns the name of a resource in the current language. */
export function filteredGroups(
  groups: readonly Group[],
  { search, compared, showsOnlyDifferences: onlyDifferences }: MatrixFilter,
  nameOf: (resource: Resource) => string,
): Group[] {
  const searchText = searchKeyOf(search.trim())
  const isShown = (line: Line) =>
    !compared || !onlyDifferences || differenceOf(line, compared[0], compared[1]).kind !== 'same'
  return groups
    .map(({ section, rows }) => ({
      section,
      rows: rows
        .filter(({ resource }) => searchKeyOf(nameOf(resource)).includes(searchText))
        .map(({ resource, lines }) => ({ resource, lines: lines.filter(isShown) }))
        .filter(({ lines }) => lines.length > 0),
    }))
    .filter(({ rows }) => rows.length > 0)
}

export const countLines = (groups: readonly Group[]): number =>
  groups.flatMap(({ rows }) => rows.flatMap(({ lines }) => lines)).length
