/** The parameters of the matrix's address: search text, compared roles, and the role that a phone shows. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isColumnName } from './matrix.ts'

interface Search {
  q?: unknown
  a?: unknown
  b?: unknown
  all?: unknown
  role?: unknown
}

export function useShown() {
  const { q, a, b, all, role }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (newSearch: { readonly [key in keyof Search]: string | undefined }) =>
    void navigate({
      to: '.',
      search: (formerSearch: object) => ({ ...formerSearch, ...newSearch }),
      resetScroll: false,
      replace: true,
    })
  const firstColumn = isColumnName(a) ? a : undefined
  const secondColumn = isColumnName(b) && b !== firstColumn ? b : undefined
  return {
    search: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
    firstColumn,
    secondColumn,
    compared: firstColumn && secondColumn ? ([firstColumn, secondColumn] as const) : undefined,
    showsOnlyDifferences: String(all) !== '1',
    role: isColumnName(role) ? role : 'authenticated',
    change,
  }
}

export type ShownAccess = ReturnType<typeof useShown>
