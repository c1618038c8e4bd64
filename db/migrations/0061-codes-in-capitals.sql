-- An authorization code is the same in capitals and small letters: a file writes A1B2C3 where a message writes a1b2c3.
-- Only the letters A to Z change, as in the code that reads messages.
alter table feed_messages alter column auth_code set expression as (
  upper(nullif(regexp_replace(body -> 'transaction' ->> 'authCode', '^\s+|\s+$', '', 'g'), '') collate "C"));

alter table transactions no force row level security;
update transactions set auth_code = upper(auth_code collate "C") where auth_code <> upper(auth_code collate "C");
alter table transactions force row level security;
