-- The terms of a program and a restaurant, kept once for all the meals that were decided by them: the same terms are
-- the same row, and never change.
create table meal_terms (
  partner_id text not null references partners,
  -- Half of the SHA-256 of the terms, their names in order.
  id uuid not null,
  -- {"program": ..., "merchant": ... or null}
  terms jsonb not null,
  primary key (partner_id, id)
);
call build_wall('meal_terms');
grant select, insert on meal_terms to dineback_app;

-- Meals decided before this keep their terms in `reason`; entries made by hand have none.
alter table transactions add column terms_id uuid;

-- Asked once a statement: a foreign key would lock the one row of the terms that all meals at a place share.
create function check_terms_known() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct partner_id, terms_id from fresh where terms_id is not null) f
    where not exists (select from meal_terms t where t.id = f.terms_id and t.partner_id = f.partner_id)
  ) then
    raise exception 'unknown terms in %', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger transactions_terms_known after insert on transactions
  referencing new table as fresh for each statement execute function check_terms_known();
create trigger transactions_new_terms_known after update on transactions
  referencing new table as fresh for each statement execute function check_terms_known();

-- A message is the same as another when transaction, event and update time are. What is told of a transaction lies
-- together, so that one index finds it and refuses what is told twice.
-- The time is taken from the end of the old id by a change of type: an update would stop at the wall.
drop index feed_messages_by_network;
alter table feed_messages
  drop constraint feed_messages_partner_id_message_id_key,
  alter column message_id type timestamptz using right(message_id, 24)::timestamptz;
alter table feed_messages rename column message_id to updated_at;
alter table feed_messages
  drop column id,
  add primary key (partner_id, network_id, event, updated_at),
  -- Kept as it came; nobody looks into it but as a whole.
  alter column body type json using body::json;

-- Entries come in the order of time: a note on every run of pages finds a day.
drop index journals_by_day;
create index journals_by_day on journals using brin (posted_at) with (pages_per_range = 16, autosummarize = on);

-- Journals are known by their partner and number; a second index of the numbers alone is spared.
alter table statement_credits
  drop constraint statement_credits_journal_id_fkey,
  drop constraint statement_credits_returned_by_fkey;
alter table postings drop constraint postings_partner_id_journal_id_fkey;
alter table journals
  drop constraint journals_pkey,
  drop constraint journals_partner_id_id_key,
  add primary key (partner_id, id);
alter table postings add foreign key (partner_id, journal_id) references journals;
alter table statement_credits
  add foreign key (partner_id, journal_id) references journals,
  add foreign key (partner_id, returned_by) references journals;
