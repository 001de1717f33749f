/** The page of permissions: the roles, and the matrix of their permissions on each kind of record. */
import { rankOfRole, resources } from '@dala/model'
import { callerRoleOf, type CurrentUser } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { UserBoundary } from '../../resource/with-user.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { columnNames, countLines, groupsOf, filteredGroups } from './matrix.ts'
import { MatrixCards } from './matrix-cards.tsx'
import { MatrixTable } from './matrix-table.tsx'
import { RoleCards } from './role-cards.tsx'
import { MatrixTools } from './tools.tsx'
import { useShown } from './use-shown.ts'
import { nameOfResource } from './labels.ts'

const allGroups = groupsOf(resources)

export function PermissionsScreen() {
  const t = useT()
  useDocumentTitle(t('page.permissions'))
  return (
    <>
      <PageHead title={t('page.permissions')} about={t('permissions.about')} />
      <UserBoundary>{(me) => <Rights me={me} />}</UserBoundary>
    </>
  )
}

function Rights({ me }: { me: CurrentUser }) {
  const t = useT()
  const onPhone = useMedia(phoneQuery)
  const shownMatrix = useShown()
  if (rankOfRole(callerRoleOf(me).role) < rankOfRole('admin'))
    return <EmptyState title={t('error.403.title')} text={t('error.403.message')} />
  const { compared, role, change } = shownMatrix
  const groups = filteredGroups(allGroups, shownMatrix, nameOfResource)
  const count = countLines(groups)
  const columns = compared ?? (onPhone ? [role] : columnNames)
  const Matrix = onPhone ? MatrixCards : MatrixTable
  const isComparing = compared !== undefined && shownMatrix.showsOnlyDifferences
  const matrix =
    count === 0 ? (
      <EmptyState
        title={t('empty.noData')}
        text={t('permissions.noneFound')}
        action={
          <Button onClick={() => change({ q: undefined, all: compared ? '1' : undefined })}>
            {t('permissions.showAll')}
          </Button>
        }
      />
    ) : (
      <Matrix groups={groups} columns={columns} compared={compared} />
    )
  return (
    <div className="grid gap-5">
      <RoleCards columns={onPhone ? columns : columnNames} me={me} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <MatrixTools shown={shownMatrix} compact={onPhone} />
        <output className="text-sm text-muted">
          {t(isComparing ? 'permissions.differences' : 'permissions.rules', { count })}
        </output>
      </div>
      {onPhone && count > 0 ? matrix : <Sheet isStrip>{matrix}</Sheet>}
    </div>
  )
}
