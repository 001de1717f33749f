/** Settings that stay in the environment, by the reason why, and whether each is set; never their values. */
import { environmentReasons, type OrganisationState } from '@dala/model'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Part } from '../../resource/part.tsx'
import { Collapsible } from '../../ui/layout/collapsible.tsx'

type Variables = OrganisationState['environment']

export function EnvironmentPart({ variables }: { variables: Variables }) {
  const t = useT()
  return (
    <Part title={t('organisation.environment')}>
      <p className="mb-2 max-w-[75ch] text-sm text-muted">{t('organisation.environmentText')}</p>
      {environmentReasons.map((reason) => (
        <ReasonGroup
          key={reason}
          title={t(`organisation.reasons.${reason}`)}
          variables={variables.filter((variable) => variable.reason === reason)}
        />
      ))}
    </Part>
  )
}

function ReasonGroup({ title, variables }: { title: string; variables: Variables }) {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Collapsible title={title} isOpen={isOpen} onToggle={setIsOpen} className="border-t border-line">
      <ul className="grid grid-cols-2 gap-x-8 ps-6 max-md:grid-cols-1 max-md:ps-0">
        {variables.map(({ name, is_set: isSet }) => (
          <li key={name} className="flex flex-wrap justify-between gap-x-4 py-1">
            <code dir="ltr" className="font-mono break-all">
              {name}
            </code>
            <span className="text-muted">{t(isSet ? 'organisation.isSet' : 'organisation.isNotSet')}</span>
          </li>
        ))}
      </ul>
    </Collapsible>
  )
}
