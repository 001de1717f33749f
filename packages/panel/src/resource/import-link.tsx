/** The way to the import of a resource from a sheet, for those who may make and change its records. */
import { isImportable, mayImport, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import FileUp from 'lucide-react/icons/file-up'
import { askerOf, meQuery } from '../api/session.ts'
import { tFirst, useT } from '../lib/i18n.ts'
import { buttonClass } from '../ui/button.tsx'
import { iconButtonClass } from '../ui/icon-button.tsx'

export interface ImportLinkProps {
  resource: Resource
  /** The day that rows belong to which name none. */
  date?: string | undefined
  /** `icon` for the tools of a list, `button` for the head of a page. */
  look: 'icon' | 'button'
}

export function ImportLink({ resource, date, look }: ImportLinkProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  if (!me || !isImportable(resource) || !mayImport(resource, askerOf(me))) return null
  const isIcon = look === 'icon'
  const short = t('action.import')
  const words = `${short}: ${tFirst([`${resource.name}.many`])}`
  return (
    <Link
      to="/app/import"
      search={{ kind: resource.name, ...(date !== undefined && { date }) }}
      className={isIcon ? iconButtonClass : buttonClass('plain')}
      aria-label={words}
      data-tip={words}
    >
      <FileUp size={18} aria-hidden />
      {isIcon ? null : short}
    </Link>
  )
}
