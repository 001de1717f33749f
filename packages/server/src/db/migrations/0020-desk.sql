-- 0020-desk: what both sides of a room are told of it (product/chat.md, section 4).

-- The count of all changes; each reader is told the last one that he may know of.
alter table "chatrooms" rename column "rev" to "revision";
create index room_changes_public_idx on room_changes (room_id, rev) where audience = 'public';

-- What has come to somebody's screen, read or not.
alter table chat_reads add column delivered_seq integer not null default 0;
update chat_reads set delivered_seq = last_read_seq;

-- A list shows the beginning of the last message, and whose it is.
update chatrooms r set last_message = r.last_message || jsonb_build_object(
    'text', left(r.last_message ->> 'text', 200),
    'sender', (select m.sender_id from chatmessages m where m.id = (r.last_message ->> 'id')::integer))
 where r.last_message is not null;

-- Who hears of a room that nobody has.
create index users_consultants_idx on users (id) where is_consultant;
