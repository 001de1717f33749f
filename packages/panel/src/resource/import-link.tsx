/** The link to the import of a resource from a sheet, for users who may create and change its records. */
import { isImportable, mayImport, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import FileUp from 'lucide-react/icons/file-up'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { callerRoleOf, meQuery } from '../api/session.ts'
import { firstTranslation, useT } from '../lib/i18n.ts'
import { buttonClass } from '../ui/button.tsx'
import { iconButtonClass } from '../ui/icon-button.tsx'

export interface ImportLinkProps {
  resource: Resource
  /** Day for imported rows that name no day. */
  date?: string | undefined
  /**
   * Appearance of the link: `icon` for the tools of a list, `button` for the head of a page, `line` for a
   * menu.
   */
  variant: keyof typeof variants
  /** Renders the link to the import inside its container; without the link there is no container. */
  Around?: ComponentType<{ children: ReactNode }>
}

const variants = { icon: iconButtonClass, button: buttonClass('plain'), line: 'float-item hover:bg-hover' } as const

export function ImportLink({ resource, date, variant, Around = Fragment }: ImportLinkProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  if (!me || !isImportable(resource) || !mayImport(resource, callerRoleOf(me))) return null
  const shortLabel = t('action.import')
  const fullLabel = `${shortLabel}: ${firstTranslation([`${resource.name}.many`])}`
  return (
    <Around>
      <Link
        to="/app/import"
        search={{ kind: resource.name, ...(date !== undefined && { date }) }}
        className={variants[variant]}
        aria-label={fullLabel}
        data-tip={variant === 'line' ? undefined : fullLabel}
      >
        <FileUp size={18} aria-hidden className={variant === 'line' ? 'text-muted' : undefined} />
        {variant === 'icon' ? null : shortLabel}
      </Link>
    </Around>
  )
}
