-- 0025-bounded-reads: a statement counts the related records that it puts into lists, and ends when they are too many.

-- Adds a list to what its statement has spent so far, and returns it. The sum belongs to one statement: it is stored in
-- settings of the transaction under the moment at which the statement began, and a later statement starts from nothing.
-- DA001: this list is longer than `most_in_list`. DA002: the statement has spent more than `most_records` or
-- `most_bytes`. The message is the path of the list.
create function spend_on_list(
  list json, length bigint, records bigint, path text, most_in_list bigint, most_records bigint, most_bytes bigint
) returns json language plpgsql volatile parallel unsafe as $$
declare
  began text := statement_timestamp()::text;
  bytes bigint := pg_column_size(list);
begin
  if length > most_in_list then
    raise exception using errcode = 'DA001', message = path;
  end if;
  if current_setting('dala.read_began', true) = began then
    records := records + current_setting('dala.read_records')::bigint;
    bytes := bytes + current_setting('dala.read_bytes')::bigint;
  else
    perform set_config('dala.read_began', began, true);
  end if;
  if records > most_records or bytes > most_bytes then
    raise exception using errcode = 'DA002', message = path;
  end if;
  perform set_config('dala.read_records', records::text, true), set_config('dala.read_bytes', bytes::text, true);
  return list;
end $$;
