/** A link to another sign-in page, which passes on the requested page. */
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'

export interface UserLinkProps {
  to: 'login' | 'register' | 'forgot-password'
  small?: boolean
  children: ReactNode
}

export function UserLink({ to, small = false, children }: UserLinkProps) {
  const { from }: { from?: unknown } = useSearch({ strict: false })
  return (
    <Link
      to={`/user/${to}`}
      search={typeof from === 'string' ? { from } : {}}
      className={cx(
        'inline-flex min-h-6 items-center font-semibold text-brand-text hover:underline',
        small && 'text-sm',
      )}
    >
      {children}
    </Link>
  )
}
