/** The page of the organisation's settings, for owners: the form, what stays in the environment, and the history. */
import { useQuery } from '@tanstack/react-query'
import { callerRoleOf } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useT } from '../../lib/i18n.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { UserBoundary } from '../../resource/with-user.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EnvironmentPart } from './environment-part.tsx'
import { HistoryPart } from './history-part.tsx'
import { organisationQuery } from './queries.ts'
import { SettingsForm } from './settings-form.tsx'

export function OrganisationScreen() {
  const t = useT()
  const title = t('page.organisation')
  useDocumentTitle(title)
  return (
    <UserBoundary>
      {(me) =>
        callerRoleOf(me).role === 'owner' ? (
          <>
            <PageHead title={title} about={t('organisation.about')} />
            <OrganisationContent />
          </>
        ) : (
          <>
            <PageHead title={title} />
            <EmptyState title={t('error.403.title')} text={t('error.403.message')} />
          </>
        )
      }
    </UserBoundary>
  )
}

function OrganisationContent() {
  const query = useQuery(organisationQuery)
  return (
    <LoadedPart query={query} rows={8}>
      {(state) => (
        <SettingsForm state={state}>
          <EnvironmentPart variables={state.environment} />
          <HistoryPart history={state.history} />
        </SettingsForm>
      )}
    </LoadedPart>
  )
}
