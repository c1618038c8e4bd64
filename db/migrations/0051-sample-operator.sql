-- The sample operator is an administrator. Production disables the account by its address, so an account of a
-- development database is renamed.
update console.operators set email = 'admin@dineback.example'
where email = 'editor@dineback.example'
  and not exists (select from console.operators where lower(email) = 'admin@dineback.example');
