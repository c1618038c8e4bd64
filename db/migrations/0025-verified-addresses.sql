-- An email address is verified when its mailbox has received a code of ours, or when the partner's provider has verified
-- it. Before, an account could be matched by an address that nobody had verified: whoever typed it first got what its
-- owner linked later.
alter table members add column email_verified_at timestamptz;
-- False for an address that the partner's provider states without having verified it: it identifies nobody, and several
-- members may have it.
alter table members add column email_identifies boolean not null default true;
alter table members add constraint members_verified_email_identifies check (email_verified_at is null or email_identifies);
drop index members_email_once;
create unique index members_email_once on members (partner_id, lower(email)) where email_identifies;
-- Support finds members by the beginning of an address.
create index members_by_email on members (partner_id, lower(email));

-- What counts as verified: an address whose mailbox has recovered the account, unless it was changed since.
update members m set email_verified_at = recovered.at
from (
  select member_id, max(at) filter (where action = 'recovery.password-set') as at,
    max(at) filter (where action = 'member.address-fixed') as fixed_at
  from audit_entries where action in ('recovery.password-set', 'member.address-fixed') group by member_id
) recovered
where recovered.member_id = m.id and m.deleted_at is null and recovered.at > coalesce(recovered.fixed_at, '-infinity');

-- Recovery now removes passkeys: whoever opened the account may have added one. Those from before the last recovery.
delete from passkeys p using (
  select member_id, max(at) as at from audit_entries where action = 'recovery.password-set' group by member_id
) recovered
where recovered.member_id = p.member_id and p.created_at < recovered.at;

-- A code sent to the address of a member. It counts for this address only, and only in a session of this member: nobody
-- verifies an account that another person has opened with their address.
create table email_verifications (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  member_id bigint not null,
  email text not null check (length(email) <= 254),
  code_hash bytea not null check (length(code_hash) = 32),
  tries smallint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index email_verifications_by_member on email_verifications (member_id);
create index email_verifications_by_expiry on email_verifications (expires_at);
call enable_tenant_isolation('email_verifications');
grant select, insert, update, delete on email_verifications to dineback_app;
