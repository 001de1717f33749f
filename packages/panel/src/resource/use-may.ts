/** What the reader may do with the records of a resource; the server decides in any case. */
import { decide, type OperationName, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { askerOf, meQuery } from '../api/session.ts'

/** Nothing is offered before it is known who reads. */
export function useMay(resource: Resource): (operation: OperationName) => boolean {
  const { data: me } = useQuery(meQuery)
  const asker = me && askerOf(me)
  return (operation) =>
    asker !== undefined &&
    !(resource.fixed && operation !== 'update') &&
    decide(resource.access, operation, asker) !== false
}
