// Package awssdk reads how the SDKs of AWS try again: profiles of their config file,
// their variables in environment files, and botocore's retries in YAML.
//
// The same words count differently: max_attempts of a profile and AWS_MAX_ATTEMPTS
// include the first try, max_attempts of botocore's own retries does not.
package awssdk
